/// The image chosen as a film's poster, with its source and the runners-up.
public struct Poster: Codable, Sendable, Equatable {
    public let brief: PosterBrief
    /// The words of the search.
    public let query: String
    public let runnersUp: [PosterCandidate]
    /// The number of the image in the order of the search, from 1; another than 1 was chosen by hand.
    public let number: Int

    public init(
        chosen: PosterCandidate, number: Int = 1, runnersUp: [PosterCandidate], confidence: PosterConfidence,
        query: String
    ) {
        brief = PosterBrief(chosen: chosen, confidence: confidence)
        self.query = query
        self.runnersUp = runnersUp
        self.number = number
    }

    private enum CodingKeys: String, CodingKey {
        case query, runnersUp, number
    }

    public init(from decoder: any Decoder) throws {
        brief = try PosterBrief(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        query = try container.decode(String.self, forKey: .query)
        runnersUp = try container.decode([PosterCandidate].self, forKey: .runnersUp)
        number = try container.decode(Int.self, forKey: .number)
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        try brief.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(query, forKey: .query)
        try container.encode(runnersUp, forKey: .runnersUp)
        try container.encode(number, forKey: .number)
    }

    public var chosen: PosterCandidate { brief.chosen }
    public var confidence: PosterConfidence { brief.confidence }
    public var imageURL: String { chosen.imageURL }
    public var thumbnailURL: String? { chosen.thumbnailURL }
    public var width: Int { chosen.width }
    public var height: Int { chosen.height }
    public var site: String? { chosen.site }
    public var pageURL: String { chosen.pageURL }
    public var datetime: String? { chosen.datetime }
}

/// The chosen image without the others: a part of `Poster`, which a line of text decodes alone.
public struct PosterBrief: Codable, Sendable, Equatable {
    public let chosen: PosterCandidate
    public let confidence: PosterConfidence

    init(chosen: PosterCandidate, confidence: PosterConfidence) {
        self.chosen = chosen
        self.confidence = confidence
    }

    private enum CodingKeys: String, CodingKey {
        case confidence
    }

    public init(from decoder: any Decoder) throws {
        chosen = try PosterCandidate(from: decoder)
        confidence = try decoder.container(keyedBy: CodingKeys.self).decode(PosterConfidence.self, forKey: .confidence)
    }

    public func encode(to encoder: any Encoder) throws {
        try chosen.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(confidence, forKey: .confidence)
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
        [chosen] + runnersUp
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
