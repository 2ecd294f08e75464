public import BoxOffice

/// What a line tells of a poster, decoded without its runners-up.
public struct PosterBrief: Decodable {
    public let site: String?
    public let confidence: PosterConfidence
}
