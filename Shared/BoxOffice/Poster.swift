/// The image chosen as a film's poster, with where it comes from and what came next.
public struct Poster: Codable, Sendable, Equatable {
    public let imageURL: String
    public let thumbnailURL: String?
    public let width: Int
    public let height: Int
    public let site: String?
    public let pageURL: String
    public let datetime: String?
    /// The words that were searched for.
    public let query: String
    public let confidence: PosterConfidence
    public let runnersUp: [PosterCandidate]

    public init(_ choice: PosterChoice, query: String) {
        imageURL = choice.chosen.imageURL
        thumbnailURL = choice.chosen.thumbnailURL
        width = choice.chosen.width
        height = choice.chosen.height
        site = choice.chosen.site
        pageURL = choice.chosen.pageURL
        datetime = choice.chosen.datetime
        self.query = query
        confidence = choice.confidence
        runnersUp = choice.runnersUp
    }
}

extension Poster {
    /// What to search for to find the poster of a film: "<title> 영화 포스터", composed (NFC).
    public static func query(title: String) -> String {
        "\(title) 영화 포스터".nfc
    }
}
