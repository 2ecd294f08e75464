#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// How much a hit of an image search looks like the poster of a film, from 0 to 1, and why.
///
/// Weighed: the shape most, then the size, then what the addresses say of title and year, then who shows it, then the place
/// that the search gave it. Each part alone never lowers the sum when it gets better.
public struct PosterScore: Sendable, Hashable {
    /// Height over width of what looks like a poster: from squat flyers to tall one-sheets.
    public static let posterRatio = 1.2...1.7
    /// Pixels below which an image is a thumbnail of a poster at best.
    static let smallestHeight = 400

    /// Each from 0 to 1.
    public let shape: Double
    public let size: Double
    public let title: Double
    public let year: Double
    public let site: Double
    public let place: Double
    /// Whether the proportions are a poster's; nothing else makes up for them.
    public let isPosterShaped: Bool

    public var value: Double {
        0.40 * shape + 0.25 * size + 0.13 * title + 0.07 * year + 0.05 * site + 0.10 * place
    }

    /// - Parameter place: in the search's order, from 0.
    public init(_ candidate: PosterCandidate, for film: PosterQuery, place: Int) {
        let (width, height) = (Double(candidate.width), Double(candidate.height))
        let ratio = width > 0 && height > 0 ? height / width : 0
        isPosterShaped = Self.posterRatio.contains(ratio)
        shape = Self.shape(ratio)
        // From 200 pixels on, by doubling; 1,600 are as good as more.
        size = width > 0 && height > 0 ? min(1, max(0, log2(height / 200) / 3)) : 0
        let addresses = [candidate.imageURL, candidate.pageURL].map { url in
            (PercentCoding.decoded(url) ?? url).nfc.lowercased()
        }
        title = Self.title(film.title, in: addresses)
        year = Self.year(film.year, candidate.datetime, in: addresses)
        site = Self.site(candidate.site)
        self.place = max(0, 1 - Double(place) / 80)
    }

    /// 1 where posters are (two to three, and √2), falling to both sides.
    private static func shape(_ ratio: Double) -> Double {
        let distance = max(1.38 - ratio, ratio - 1.52, 0)
        return max(0, 1 - distance / 0.8)
    }

    /// The part of the title's words that an address spells out.
    private static func title(_ title: String, in addresses: [String]) -> Double {
        // No title has more words; a message may hold a hundred thousand, each looked for in every address.
        let words = title.nfc.lowercased().split(maxSplits: 32) { !$0.isLetter && !$0.isNumber }.prefix(32)
        guard !words.isEmpty else { return 0 }
        return Double(words.count { word in addresses.contains { $0.contains(word) } }) / Double(words.count)
    }

    /// Whether the page is of the film's time: the year before it opened or later, or it names the year.
    private static func year(_ year: Year?, _ datetime: String?, in addresses: [String]) -> Double {
        guard let year = year?.value else { return 0 }
        if addresses.contains(where: { $0.contains(String(year)) }) { return 1 }
        guard let written = datetime.flatMap({ Int($0.prefix(4)) }) else { return 0 }
        return (year - 1...year + 2).contains(written) ? 1 : written > year ? 0.5 : 0
    }

    private static func site(_ name: String?) -> Double {
        guard let name = name?.nfc.lowercased() else { return 0 }
        return filmSites.contains { name.contains($0) } ? 1 : 0
    }

    /// Who is about films: parts of the names that the search gives sites.
    private static let filmSites = [
        "영화", "씨네", "시네", "무비", "cine", "movie", "film", "kmdb", "cgv", "메가박스", "롯데시네마", "왓챠", "watcha", "나무위키",
        "위키백과",
    ]
}
