/// Whether a film was in the previous day's ranking.
public enum ChartPresence: String, Codable, Sendable, Equatable {
    /// Not in the ranking of the day before: first entries and re-entries alike.
    case new
    /// In the ranking of the day before, be it outside the ten rows shown; previews count, so a film may be old on its opening day.
    case old
}
