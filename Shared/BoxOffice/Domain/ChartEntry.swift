/// One row of a chart: a film and its figures of the day or week.
///
/// It contains the eighteen fields of KOBIS. Money is in won, audience in admissions, percentages in percent (34.2).
public struct ChartEntry: Codable, Sendable, Equatable {
    /// Row number 1...10, unique in its chart.
    public let rowNumber: Int
    /// Not unique: ties share a rank and the next rank is skipped (5, 5, 7).
    public let rank: Int
    /// The ranks climbed since the day or week before, negative for a fall; 0 for a new film.
    public let rankChange: Int
    public let presence: ChartPresence
    /// The KOBIS film code, eight characters: "20199882", but also "2023C632".
    public let code: String
    public let title: String
    /// Absent when KOBIS has none. In the future for previews, decades ago for re-releases.
    public let openingDay: Day?
    public let salesAmount: Int64
    /// Percent of all sales of the day: the rows of a chart add up to less than 100.
    public let salesShare: Double
    public let salesChange: Int64
    public let salesChangePercent: Double
    public let salesTotal: Int64
    public let audience: Int
    /// The change from the day before by current counts, which may differ from the counts published that day.
    public let audienceChange: Int
    public let audienceChangePercent: Double
    /// Since the opening, previews included: it may exceed `audience` on the opening day.
    public let audienceTotal: Int
    public let screens: Int
    public let showings: Int

    public init(
        rowNumber: Int, rank: Int, rankChange: Int, presence: ChartPresence, code: String, title: String,
        openingDay: Day?, salesAmount: Int64, salesShare: Double, salesChange: Int64, salesChangePercent: Double,
        salesTotal: Int64, audience: Int, audienceChange: Int, audienceChangePercent: Double, audienceTotal: Int,
        screens: Int, showings: Int
    ) {
        self.rowNumber = rowNumber
        self.rank = rank
        self.rankChange = rankChange
        self.presence = presence
        self.code = code
        self.title = title
        self.openingDay = openingDay
        self.salesAmount = salesAmount
        self.salesShare = salesShare
        self.salesChange = salesChange
        self.salesChangePercent = salesChangePercent
        self.salesTotal = salesTotal
        self.audience = audience
        self.audienceChange = audienceChange
        self.audienceChangePercent = audienceChangePercent
        self.audienceTotal = audienceTotal
        self.screens = screens
        self.showings = showings
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(rowNumber, forKey: .rowNumber)
        try container.encode(rank, forKey: .rank)
        try container.encode(rankChange, forKey: .rankChange)
        try container.encode(presence, forKey: .presence)
        try container.encode(code, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encode(openingDay, forKey: .openingDay)
        try container.encode(salesAmount, forKey: .salesAmount)
        try container.encode(salesShare, forKey: .salesShare)
        try container.encode(salesChange, forKey: .salesChange)
        try container.encode(salesChangePercent, forKey: .salesChangePercent)
        try container.encode(salesTotal, forKey: .salesTotal)
        try container.encode(audience, forKey: .audience)
        try container.encode(audienceChange, forKey: .audienceChange)
        try container.encode(audienceChangePercent, forKey: .audienceChangePercent)
        try container.encode(audienceTotal, forKey: .audienceTotal)
        try container.encode(screens, forKey: .screens)
        try container.encode(showings, forKey: .showings)
    }
}

/// Whether a film was in the previous day's ranking; a value of a later release is kept as it is.
public struct ChartPresence: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Not in the ranking of the day before: first entries and re-entries alike.
    public static let new = ChartPresence(rawValue: "new")
    /// In the ranking of the day before, even outside the ten rows shown; because previews count, a film may be old on
    /// its opening day.
    public static let old = ChartPresence(rawValue: "old")
}

extension ChartEntry {
    /// The change of rank since the day before; a new film has no direction.
    public var movement: Movement {
        switch rankChange {
        case _ where presence == .new: .new
        case 1...: .up(rankChange)
        // External text can contain the one integer whose negation overflows.
        case ..<0: .down(rankChange == .min ? .max : -rankChange)
        default: .same
        }
    }

    /// Whether a "new" film is a re-entry: it opened more than fourteen days before the chart's date.
    ///
    /// KOBIS reports every film as new that was not ranked the day before. False without an opening day.
    public func isReentry(on date: Day) -> Bool {
        guard presence == .new, let openingDay else { return false }
        return date.days(since: openingDay) > 14
    }
}
