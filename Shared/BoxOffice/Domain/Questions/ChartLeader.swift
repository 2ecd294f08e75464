/// A day's no. 1 and the admissions of its ten films.
public struct ChartLeader: Codable, Sendable, Equatable {
    public let day: Day
    /// Of no. 1; nil for a chart without films.
    public let code: String?
    public let title: String?
    public let audience: Int
    /// Of the ten.
    public let topAudience: Int
    public let isProvisional: Bool

    public init(
        day: Day, code: String?, title: String?, audience: Int, topAudience: Int, isProvisional: Bool
    ) {
        self.day = day
        self.code = code
        self.title = title
        self.audience = audience
        self.topAudience = topAudience
        self.isProvisional = isProvisional
    }
}

/// The film with the most admissions in a week, on its days in the ten.
public struct WeekLeader: Codable, Sendable, Equatable {
    /// The first day of the week that is in the range.
    public let first: Day
    public let code: String
    public let title: String
    public let audience: Int

    public init(first: Day, code: String, title: String, audience: Int) {
        self.first = first
        self.code = code
        self.title = title
        self.audience = audience
    }
}
