/// The selection of a chart: its days, and the films and cinemas that it counts.
public struct ChartSelection: Sendable, Hashable {
    public let kind: ChartKind
    /// One day for a daily chart, else the days of one week.
    public let days: ClosedRange<Day>
    public let filter: ChartFilter

    /// - Parameter day: The chart's day, or any day of its week.
    public init(_ kind: ChartKind, around day: Day, filter: ChartFilter = .everything) {
        self.kind = kind
        self.days = kind.days(around: day)
        self.filter = filter
    }

    /// The unfiltered chart of one day.
    public static func daily(_ day: Day) -> ChartSelection {
        ChartSelection(.daily, around: day)
    }
}

extension ChartSelection: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, date, through, filter
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decodeIfPresent(ChartKind.self, forKey: .kind) ?? .daily,
            around: try container.decode(Day.self, forKey: .date),
            filter: try container.decodeIfPresent(ChartFilter.self, forKey: .filter) ?? .everything)
    }

    /// `{"date", "kind"}`, with `through` (the last day) for several days and `filter` for a part of the chart.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(days.lowerBound, forKey: .date)
        try container.encode(kind, forKey: .kind)
        if days.count > 1 { try container.encode(days.upperBound, forKey: .through) }
        if filter != .everything { try container.encode(filter, forKey: .filter) }
    }
}

extension ChartSelection: CustomStringConvertible {
    /// "2022-01-05", "2021-12-31..2022-01-02 seoul korean": for logs and messages.
    public var description: String {
        let (first, last) = (days.lowerBound, days.upperBound)
        let words = [
            first == last ? first.iso : "\(first)..\(last)", filter.region?.rawValue, filter.nation?.rawValue,
            filter.diversity?.rawValue,
        ]
        return words.compactMap { $0 }.joined(separator: " ")
    }
}

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

extension ChartKind {
    /// From the first chart until the last one that has begun.
    ///
    /// - Parameter yesterday: the last day with a chart.
    public func chartedDays(until yesterday: Day) -> ClosedRange<Day> {
        let first = min(.firstChart, days(around: .firstChart).lowerBound)
        // A weekend begins on Friday: before that, the week before has the last one.
        let hasBegun = days(around: yesterday).lowerBound <= yesterday
        return first...max(first, hasBegun ? yesterday : yesterday.advanced(by: -yesterday.weekday))
    }
}
