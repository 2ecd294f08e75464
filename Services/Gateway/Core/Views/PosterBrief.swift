import BoxOffice

/// What a line tells of a poster, decoded without its runners-up.
struct PosterBrief: Decodable {
    let site: String?
    let confidence: PosterConfidence
}
