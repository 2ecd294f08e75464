public import Domain

/// The fields of a film's detail that one line of text shows.
///
/// Decoding time grows with the number of values: a whole detail consists mostly of cast and companies, which a line
/// omits. Errors in omitted fields are ignored.
public struct FilmBrief: Decodable {
    public struct Director: Decodable {
        public let name: String
        public let nameEnglish: String?
    }

    public let title: String
    public let titleEnglish: String?
    public let directors: [Director]
    public let ratings: [Rating]
    public let runningMinutes: Int?
    public let genres: [String]
}

/// The fields of a poster that one line of text shows, decoded without the other candidates.
public struct PosterBrief: Decodable {
    public let site: String?
    public let pageURL: String
    public let confidence: PosterConfidence
}
