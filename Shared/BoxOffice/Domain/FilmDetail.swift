/// KOBIS's record of a film.
///
/// It contains no synopsis, poster or audience. Staff (up to 1,107 people) is deliberately omitted.
public struct FilmDetail: Codable, Sendable, Equatable {
    public let code: String
    public let title: String
    public let titleEnglish: String?
    public let titleOriginal: String?
    public let runningMinutes: Int?
    public let productionYear: Int?
    public let openingDay: Day?
    /// "2007" or "2007-05", when KOBIS states no day.
    public let openingText: String?
    /// In Korean: 개봉, 개봉예정, 개봉준비, 기타.
    public let status: String?
    /// In Korean: 장편, 단편, 옴니버스, …
    public let type: String?
    public let nations: [String]
    public let genres: [String]
    public let directors: [Person]
    public let actors: [CastMember]
    /// The group and name of each screening format: "2D 디지털", "IMAX", "필름".
    public let showTypes: [String]
    public let companies: [Company]
    /// In the upstream's order: the last one is in force.
    public let ratings: [Rating]

    public init(
        code: String, title: String, titleEnglish: String? = nil, titleOriginal: String? = nil,
        runningMinutes: Int? = nil, productionYear: Int? = nil, openingDay: Day? = nil, openingText: String? = nil,
        status: String? = nil,
        type: String? = nil, nations: [String] = [], genres: [String] = [], directors: [Person] = [],
        actors: [CastMember] = [], showTypes: [String] = [], companies: [Company] = [], ratings: [Rating] = []
    ) {
        self.code = code
        self.title = title
        self.titleEnglish = titleEnglish
        self.titleOriginal = titleOriginal
        self.runningMinutes = runningMinutes
        self.productionYear = productionYear
        self.openingDay = openingDay
        self.openingText = openingText
        self.status = status
        self.type = type
        self.nations = nations
        self.genres = genres
        self.directors = directors
        self.actors = actors
        self.showTypes = showTypes
        self.companies = companies
        self.ratings = ratings
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encode(titleEnglish, forKey: .titleEnglish)
        try container.encode(titleOriginal, forKey: .titleOriginal)
        try container.encode(runningMinutes, forKey: .runningMinutes)
        try container.encode(productionYear, forKey: .productionYear)
        try container.encode(openingDay, forKey: .openingDay)
        try container.encode(openingText, forKey: .openingText)
        try container.encode(status, forKey: .status)
        try container.encode(type, forKey: .type)
        try container.encode(nations, forKey: .nations)
        try container.encode(genres, forKey: .genres)
        try container.encode(directors, forKey: .directors)
        try container.encode(actors, forKey: .actors)
        try container.encode(showTypes, forKey: .showTypes)
        try container.encode(companies, forKey: .companies)
        try container.encode(ratings, forKey: .ratings)
    }

    /// The opening as precisely as it is known: "2007", "2007-05" or "2007-05-03".
    public var opening: String? { openingDay?.iso ?? openingText }

    public var currentGrade: String? { ratings.currentGrade }
}

/// One rating decision for a film.
public struct Rating: Codable, Sendable, Equatable {
    /// The number of the decision: "2021-MF03006".
    public let number: String?
    /// In Korean: "15세이상관람가". Old grades exist (연소자관람가); empty when KOBIS omitted it.
    public let grade: String

    public init(number: String?, grade: String) {
        self.number = number
        self.grade = grade
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(grade, forKey: .grade)
    }
}

extension [Rating] {
    /// The grade in force: the grade of the last rating that has one.
    public var currentGrade: String? {
        last { !$0.grade.isEmpty }?.grade
    }
}
