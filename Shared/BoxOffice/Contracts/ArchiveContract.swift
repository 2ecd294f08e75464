public import Domain
public import Envelope

/// Requests charts from the archive, at most `maxCharts` of them; the reply's payload is an `ArchiveChartsReply`.
public struct ArchiveChartsRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.charts"
    /// A page of this many charts has fewer than 256 KB.
    public static let maxCharts = 31

    public let chart: ChartKind
    /// Any day of the first chart, and of the last one.
    public let first: Day
    public let last: Day
    /// How many charts that are not final may be fetched for the answer.
    public let calls: ItemLimit
    /// What was known at this moment, in milliseconds since 1970; nil for what is known now.
    public let asOf: Int64?

    public init(_ chart: ChartKind, _ days: ClosedRange<Day>, calls: ItemLimit, asOf: Int64? = nil) {
        self.chart = chart
        first = days.lowerBound
        last = days.upperBound
        self.calls = calls
        self.asOf = asOf
    }

    /// The first charts of the range, as many as a page has, and the first day of the next page.
    public var page: (selections: [ChartSelection], next: Day?) {
        var selections: [ChartSelection] = []
        var day = first
        while day <= last {
            guard selections.count < Self.maxCharts else { return (selections, day) }
            selections.append(ChartSelection(chart, around: day))
            day = chart == .daily ? day.advanced(by: 1) : Week(of: day).monday.advanced(by: 7)
        }
        return (selections, nil)
    }
}

/// A page of charts.
public struct ArchiveChartsReply: Codable, Sendable, Equatable {
    /// One for each chart of the page, in order, unknown ones as well.
    public let charts: [ArchivedChart]
    /// The first day of the next page; nil after the last one.
    public let next: Day?
    /// How many charts were fetched for this answer.
    public let calls: Int

    public init(charts: [ArchivedChart], next: Day?, calls: Int) {
        self.charts = charts
        self.next = next
        self.calls = calls
    }
}

/// A chart as the archive knows it.
public struct ArchivedChart: Codable, Sendable, Equatable {
    /// The first day of the chart.
    public let date: Day
    public let state: ChartState
    /// Nil while no answer is known.
    public let source: DataSource?
    /// When these rows were seen first and last, in milliseconds since 1970; nil without a chart.
    public let firstSeen: Int64?
    public let lastSeen: Int64?
    /// The code of the latest fetch that failed; nil when none did since.
    public let failure: FailureCode?
    /// By row number; none while no chart is known.
    public let entries: [ChartEntry]

    public init(
        date: Day, state: ChartState, source: DataSource?, firstSeen: Int64?, lastSeen: Int64?, failure: FailureCode?,
        entries: [ChartEntry]
    ) {
        self.date = date
        self.state = state
        self.source = source
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.failure = failure
        self.entries = entries
    }

    /// A chart that nobody has asked for.
    public static func unknown(_ date: Day) -> ArchivedChart {
        ArchivedChart(
            date: date, state: .unknown, source: nil, firstSeen: nil, lastSeen: nil, failure: nil, entries: [])
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date, forKey: .date)
        try container.encode(state, forKey: .state)
        try container.encode(source, forKey: .source)
        try container.encode(firstSeen, forKey: .firstSeen)
        try container.encode(lastSeen, forKey: .lastSeen)
        try container.encode(failure, forKey: .failure)
        try container.encode(entries.map { DatedEntry(entry: $0, date: date) }, forKey: .entries)
    }
}
