/// A film in a search result of the catalogue, with the data that distinguishes it from films of the same title.
public struct FilmSummary: Codable, Sendable, Equatable {
    /// KOBIS's name for the genre of pornography, which its catalogue includes.
    /// In some lists without the brackets and what is in them.
    public static let adultGenres: Set = ["성인물(에로)", "성인물"]

    public let code: String
    public let title: String
    public let titleEnglish: String?
    public let productionYear: Int?
    /// Absent for announced films and for many films that never opened.
    public let openingDay: Day?
    /// "2007" or "2007-05", when KOBIS states no day.
    public let openingText: String?
    /// In Korean: 장편, 단편, 옴니버스, …
    public let type: String?
    /// In Korean: 개봉, 개봉예정, 개봉준비, 기타.
    public let status: String?
    public let nations: [String]
    public let genres: [String]
    public let directors: [Person]
    /// Names only: the search does not state the role of a company.
    public let companies: [String]

    public init(
        code: String, title: String, titleEnglish: String? = nil, productionYear: Int? = nil, openingDay: Day? = nil,
        openingText: String? = nil, type: String? = nil, status: String? = nil, nations: [String] = [],
        genres: [String] = [],
        directors: [Person] = [], companies: [String] = []
    ) {
        self.code = code
        self.title = title
        self.titleEnglish = titleEnglish
        self.productionYear = productionYear
        self.openingDay = openingDay
        self.openingText = openingText
        self.type = type
        self.status = status
        self.nations = nations
        self.genres = genres
        self.directors = directors
        self.companies = companies
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encode(titleEnglish, forKey: .titleEnglish)
        try container.encode(productionYear, forKey: .productionYear)
        try container.encode(openingDay, forKey: .openingDay)
        try container.encode(openingText, forKey: .openingText)
        try container.encode(type, forKey: .type)
        try container.encode(status, forKey: .status)
        try container.encode(nations, forKey: .nations)
        try container.encode(genres, forKey: .genres)
        try container.encode(directors, forKey: .directors)
        try container.encode(companies, forKey: .companies)
    }

    /// The opening as precisely as it is known: "2007", "2007-05" or "2007-05-03".
    public var opening: String? { openingDay?.iso ?? openingText }

    public var isAdult: Bool { !Self.adultGenres.isDisjoint(with: genres) }
}

/// One page of a search for films.
public struct FilmPage: Codable, Sendable, Equatable {
    /// The number of matches on all pages, including films that a filter removed from `films`.
    public let total: FilmCount
    /// In the catalogue's order; fewer than the page size when adult films were removed.
    public let films: [FilmSummary]

    public init(total: FilmCount, films: [FilmSummary]) {
        self.total = total
        self.films = films
    }
}
