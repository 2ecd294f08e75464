/// The fields of a film's record that one line of text shows: a part of `FilmDetail`.
///
/// Decoding time grows with the number of values, and a record consists mostly of cast and companies: decoded alone, these
/// fields take a quarter of the time.
public struct FilmBrief: Codable, Sendable, Equatable {
    public let title: String
    public let titleEnglish: String?
    public let runningMinutes: Int?
    public let genres: [String]
    public let directors: [Person]
    /// In the upstream's order: the last one is in force.
    public let ratings: [Rating]

    init(
        title: String, titleEnglish: String?, runningMinutes: Int?, genres: [String], directors: [Person],
        ratings: [Rating]
    ) {
        self.title = title
        self.titleEnglish = titleEnglish
        self.runningMinutes = runningMinutes
        self.genres = genres
        self.directors = directors
        self.ratings = ratings
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(titleEnglish, forKey: .titleEnglish)
        try container.encode(runningMinutes, forKey: .runningMinutes)
        try container.encode(genres, forKey: .genres)
        try container.encode(directors, forKey: .directors)
        try container.encode(ratings, forKey: .ratings)
    }

    public var currentGrade: String? { ratings.currentGrade }
}
