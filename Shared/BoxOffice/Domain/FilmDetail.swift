/// KOBIS's record of a film.
///
/// It contains no synopsis, poster or audience. Staff (up to 1,107 people) is deliberately omitted.
public struct FilmDetail: Codable, Sendable, Equatable {
    public let code: String
    public let brief: FilmBrief
    public let titleOriginal: String?
    public let productionYear: Int?
    public let openingDay: Day?
    /// "2007" or "2007-05", when KOBIS states no day.
    public let openingText: String?
    /// In Korean: 개봉, 개봉예정, 개봉준비, 기타.
    public let status: String?
    /// In Korean: 장편, 단편, 옴니버스, …
    public let type: String?
    public let nations: [String]
    public let actors: [CastMember]
    /// The group and name of each screening format: "2D 디지털", "IMAX", "필름".
    public let showTypes: [String]
    public let companies: [Company]

    public init(
        code: String, title: String, titleEnglish: String? = nil, titleOriginal: String? = nil,
        runningMinutes: Int? = nil, productionYear: Int? = nil, openingDay: Day? = nil, openingText: String? = nil,
        status: String? = nil,
        type: String? = nil, nations: [String] = [], genres: [String] = [], directors: [Person] = [],
        actors: [CastMember] = [], showTypes: [String] = [], companies: [Company] = [], ratings: [Rating] = []
    ) {
        self.code = code
        brief = FilmBrief(
            title: title, titleEnglish: titleEnglish, runningMinutes: runningMinutes, genres: genres,
            directors: directors, ratings: ratings)
        self.titleOriginal = titleOriginal
        self.productionYear = productionYear
        self.openingDay = openingDay
        self.openingText = openingText
        self.status = status
        self.type = type
        self.nations = nations
        self.actors = actors
        self.showTypes = showTypes
        self.companies = companies
    }

    private enum CodingKeys: String, CodingKey {
        case code, titleOriginal, productionYear, openingDay, openingText, status, type, nations, actors, showTypes
        case companies
    }

    public init(from decoder: any Decoder) throws {
        brief = try FilmBrief(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        titleOriginal = try container.decodeIfPresent(String.self, forKey: .titleOriginal)
        productionYear = try container.decodeIfPresent(Int.self, forKey: .productionYear)
        openingDay = try container.decodeIfPresent(Day.self, forKey: .openingDay)
        openingText = try container.decodeIfPresent(String.self, forKey: .openingText)
        status = try container.decodeIfPresent(String.self, forKey: .status)
        type = try container.decodeIfPresent(String.self, forKey: .type)
        nations = try container.decode([String].self, forKey: .nations)
        actors = try container.decode([CastMember].self, forKey: .actors)
        showTypes = try container.decode([String].self, forKey: .showTypes)
        companies = try container.decode([Company].self, forKey: .companies)
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        try brief.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(titleOriginal, forKey: .titleOriginal)
        try container.encode(productionYear, forKey: .productionYear)
        try container.encode(openingDay, forKey: .openingDay)
        try container.encode(openingText, forKey: .openingText)
        try container.encode(status, forKey: .status)
        try container.encode(type, forKey: .type)
        try container.encode(nations, forKey: .nations)
        try container.encode(actors, forKey: .actors)
        try container.encode(showTypes, forKey: .showTypes)
        try container.encode(companies, forKey: .companies)
    }

    public var title: String { brief.title }
    public var titleEnglish: String? { brief.titleEnglish }
    public var runningMinutes: Int? { brief.runningMinutes }
    public var genres: [String] { brief.genres }
    public var directors: [Person] { brief.directors }
    public var ratings: [Rating] { brief.ratings }
    public var currentGrade: String? { brief.currentGrade }

    /// The opening as precisely as it is known: "2007", "2007-05" or "2007-05-03".
    public var opening: String? { openingDay?.iso ?? openingText }
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
