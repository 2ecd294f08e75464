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
