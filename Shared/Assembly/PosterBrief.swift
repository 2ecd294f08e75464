public import BoxOffice

/// The fields of a poster that one line of text shows, decoded without the other candidates.
public struct PosterBrief: Decodable {
    public let site: String?
    public let confidence: PosterConfidence
}
