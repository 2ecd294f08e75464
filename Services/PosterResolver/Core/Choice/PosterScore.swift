import Domain

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The similarity of an image search hit to the poster of a film, from 0 to 1, with its components.
///
/// The components in descending order of weight: shape, size, title, place in the search, year, site. The sum is
/// monotonic in each component.
struct PosterScore: Sendable, Hashable {
    /// The range of height over width of posters, from flyers to one-sheets.
    static let posterRatio = 1.2...1.7
    /// The minimum height in pixels; a smaller image is a thumbnail.
    static let smallestHeight = 400

    /// Each from 0 to 1.
    let shape: Double
    let size: Double
    let title: Double
    let year: Double
    let site: Double
    let place: Double
    /// Whether the proportions are those of a poster; other components do not compensate for a wrong shape.
    let isPosterShaped: Bool

    var value: Double {
        0.40 * shape + 0.25 * size + 0.13 * title + 0.07 * year + 0.05 * site + 0.10 * place
    }

    /// - Parameter place: The position in the search result, from 0.
    init(_ candidate: PosterCandidate, for film: PosterQuery, place: Int) {
        let (width, height) = (Double(candidate.width), Double(candidate.height))
        let ratio = width > 0 && height > 0 ? height / width : 0
        isPosterShaped = Self.posterRatio.contains(ratio)
        shape = Self.shape(ratio)
        // Logarithmic from 200 pixels to the maximum at 1,600 pixels.
        size = width > 0 && height > 0 ? min(1, max(0, log2(height / 200) / 3)) : 0
        let addresses = [candidate.imageURL, candidate.pageURL].map { url in
            (PercentCoding.decoded(url) ?? url).searchBytes
        }
        title = Self.title(film.words, in: addresses)
        year = Self.year(film.year, candidate.datetime, in: addresses)
        site = Self.site(candidate.site)
        self.place = max(0, 1 - Double(place) / 80)
    }

    /// 1 for the usual poster ratios (2:3 and 1:√2), falling to both sides.
    private static func shape(_ ratio: Double) -> Double {
        let distance = max(1.38 - ratio, ratio - 1.52, 0)
        return max(0, 1 - distance / 0.8)
    }

    /// The fraction of the title's words that occur in an address.
    private static func title(_ words: [[UInt8]], in addresses: [[UInt8]]) -> Double {
        guard !words.isEmpty else { return 0 }
        return Double(words.count { word in addresses.contains { $0.hasOccurrence(of: word) } }) / Double(words.count)
    }

    /// Whether the page's date matches the film: its opening year in an address, or a date near or after the opening.
    private static func year(_ year: Year?, _ datetime: String?, in addresses: [[UInt8]]) -> Double {
        guard let year = year?.value else { return 0 }
        let digits = [UInt8](String(year).utf8)
        if addresses.contains(where: { $0.hasOccurrence(of: digits) }) { return 1 }
        guard let written = datetime.flatMap({ Int($0.prefix(4)) }) else { return 0 }
        return (year - 1...year + 2).contains(written) ? 1 : written > year ? 0.5 : 0
    }

    private static func site(_ name: String?) -> Double {
        guard let name = name?.searchBytes else { return 0 }
        return filmSites.contains(where: name.hasOccurrence) ? 1 : 0
    }

    /// Parts of the names of film sites, as given by the search.
    private static let filmSites = [
        "영화", "씨네", "시네", "무비", "cine", "movie", "film", "kmdb", "cgv", "메가박스", "롯데시네마", "왓챠", "watcha", "나무위키",
        "위키백과",
    ].map(\.searchBytes)
}

extension String {
    /// UTF-8 that is searched byte by byte: a search by characters takes many times as long, for 80 hits of each film.
    var searchBytes: [UInt8] { Array(nfc.lowercased().utf8) }
}

extension [UInt8] {
    fileprivate func hasOccurrence(of bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, bytes.count <= count else { return bytes.isEmpty }
        return (0...count - bytes.count).contains { start in
            self[start] == first && self[start..<start + bytes.count].elementsEqual(bytes)
        }
    }
}
