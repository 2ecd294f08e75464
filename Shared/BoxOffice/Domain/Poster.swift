/// The image chosen as a film's poster, with its source and the runners-up.
public struct Poster: Codable, Sendable, Equatable {
    public let imageURL: String
    public let thumbnailURL: String?
    public let width: Int
    public let height: Int
    public let site: String?
    public let pageURL: String
    public let datetime: String?
    /// The words of the search.
    public let query: String
    public let confidence: PosterConfidence
    public let runnersUp: [PosterCandidate]
    /// The number of the image in the order of the search, from 1; another than 1 was chosen by hand.
    public let number: Int

    public init(
        chosen: PosterCandidate, number: Int = 1, runnersUp: [PosterCandidate], confidence: PosterConfidence,
        query: String
    ) {
        imageURL = chosen.imageURL
        thumbnailURL = chosen.thumbnailURL
        width = chosen.width
        height = chosen.height
        site = chosen.site
        pageURL = chosen.pageURL
        datetime = chosen.datetime
        self.query = query
        self.confidence = confidence
        self.runnersUp = runnersUp
        self.number = number
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(imageURL, forKey: .imageURL)
        try container.encode(thumbnailURL, forKey: .thumbnailURL)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(site, forKey: .site)
        try container.encode(pageURL, forKey: .pageURL)
        try container.encode(datetime, forKey: .datetime)
        try container.encode(query, forKey: .query)
        try container.encode(confidence, forKey: .confidence)
        try container.encode(runnersUp, forKey: .runnersUp)
        try container.encode(number, forKey: .number)
    }
}

extension Poster {
    private static let searchedWords = " 영화 포스터"

    /// The search text for the poster of a film: "<title> 영화 포스터", composed (NFC).
    public static func query(title: String) -> String {
        (title + searchedWords).nfc
    }

    /// The title in the search text.
    public var searchedTitle: String {
        query.hasSuffix(Self.searchedWords) ? String(query.dropLast(Self.searchedWords.count)) : query
    }
}

extension Poster {
    /// The chosen image and the runners-up, best first.
    public var candidates: [PosterCandidate] {
        let chosen = PosterCandidate(
            imageURL: imageURL, thumbnailURL: thumbnailURL, width: width, height: height, site: site, pageURL: pageURL,
            datetime: datetime)
        return [chosen] + runnersUp
    }

    /// All images in the order of the search, which a choice by hand does not change.
    public var numberedCandidates: [PosterCandidate] {
        var all = candidates
        let chosen = all.removeFirst()
        // A number from a message may be any.
        all.insert(chosen, at: min(max(number, 1), all.count + 1) - 1)
        return all
    }

    /// The same poster with an image chosen by hand; nil when there is no such image.
    ///
    /// - Parameter number: its number in `numberedCandidates`, from 1.
    public func pinned(_ number: Int) -> Poster? {
        var others = numberedCandidates
        guard others.indices.contains(number &- 1) else { return nil }
        let chosen = others.remove(at: number - 1)
        return Poster(chosen: chosen, number: number, runnersUp: others, confidence: .pinned, query: query)
    }
}

/// The confidence that a chosen image is a poster; a value of a later release is kept as it is.
public struct PosterConfidence: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let high = PosterConfidence(rawValue: "high")
    /// The image was chosen by hand.
    public static let pinned = PosterConfidence(rawValue: "pinned")
    public static let low = PosterConfidence(rawValue: "low")
}
