/// The days that a chart covers.
public enum ChartKind: String, Codable, Sendable, Hashable, CaseIterable {
    case daily
    /// Monday to Sunday.
    case weekly
    /// Friday to Sunday.
    case weekend
    /// Monday to Thursday.
    case weekdays

    /// The days of the chart for the week of `day`; a weekend and its weekdays belong to the same week.
    public func days(around day: Day) -> ClosedRange<Day> {
        let monday = day.advanced(by: 1 - day.weekday)
        func range(_ first: Int, _ last: Int) -> ClosedRange<Day> {
            monday.advanced(by: first)...monday.advanced(by: last)
        }
        return switch self {
        case .daily: day...day
        case .weekly: range(0, 6)
        case .weekend: range(4, 6)
        case .weekdays: range(0, 3)
        }
    }
}
