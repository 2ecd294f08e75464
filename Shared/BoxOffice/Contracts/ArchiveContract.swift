public import Domain
public import Envelope

/// Requests charts from the archive, at most `maxCharts` of them; the reply's payload is an `ArchiveChartsReply`.
public struct ArchiveChartsRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.charts"
    /// A page of this many charts has fewer than 256 KB.
    public static let maxCharts = 100

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

    /// The first and the last chart of each page of a range, by their first days.
    public static func pages(_ chart: ChartKind, _ days: ClosedRange<Day>) -> [ClosedRange<Day>] {
        let all = ChartSelection.all(chart, in: days).map(\.days.lowerBound)
        return stride(from: 0, to: all.count, by: maxCharts).map {
            all[$0]...all[min($0 + maxCharts, all.count) - 1]
        }
    }

    /// The charts of the range, at most as many as a page has.
    public var selections: [ChartSelection] {
        // Some days more than a page: a message may contain any range.
        let end = first.advanced(by: (Self.maxCharts + 1) * 7)
        return Array(ChartSelection.all(chart, in: first...max(first, min(last, end))).prefix(Self.maxCharts))
    }
}

/// A page of charts.
public struct ArchiveChartsReply: Codable, Sendable, Equatable {
    /// One for each chart of the page, in order, unknown ones as well.
    public let charts: [ArchivedChart]
    /// How many charts were fetched for this answer.
    public let calls: Int

    public init(charts: [ArchivedChart], calls: Int) {
        self.charts = charts
        self.calls = calls
    }
}

/// The key of a chart in events of the archive.
public enum ArchiveKey {
    public static func make(_ selection: ChartSelection) -> String {
        "archive." + ChartRequest(selection, isRefresh: false).cacheKey
    }
}

/// A chart as the archive knows it. In a message, its entries are `ChartEntryRow`s.
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
        try container.encode(entries.map(ChartEntryRow.init), forKey: .entries)
    }

    private enum CodingKeys: CodingKey {
        case date, state, source, firstSeen, lastSeen, failure, entries
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            date: try container.decode(Day.self, forKey: .date),
            state: try container.decode(ChartState.self, forKey: .state),
            source: try container.decodeIfPresent(DataSource.self, forKey: .source),
            firstSeen: try container.decodeIfPresent(Int64.self, forKey: .firstSeen),
            lastSeen: try container.decodeIfPresent(Int64.self, forKey: .lastSeen),
            failure: try container.decodeIfPresent(FailureCode.self, forKey: .failure),
            entries: try container.decode([ChartEntryRow].self, forKey: .entries).map(\.entry))
    }
}

/// Requests the editions of a chart; the reply's payload is an `ArchiveEditionsReply`.
public struct ArchiveEditionsRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.editions"
    /// So many editions have fewer than 256 KB.
    public static let maxEditions = 40

    public let chart: ChartKind
    /// Any day of the chart.
    public let day: Day

    public init(_ chart: ChartKind, _ day: Day) {
        self.chart = chart
        self.day = day
    }
}

/// The latest editions of a chart.
public struct ArchiveEditionsReply: Codable, Sendable, Equatable {
    /// The rows of a chart as they were seen between two moments, in milliseconds since 1970.
    public struct Edition: Codable, Sendable, Equatable {
        public let firstSeen: Int64
        public let lastSeen: Int64
        /// By row number.
        public let entries: [ChartEntry]

        public init(firstSeen: Int64, lastSeen: Int64, entries: [ChartEntry]) {
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.entries = entries
        }
    }

    public let state: ChartState
    /// Nil while no answer is known.
    public let source: DataSource?
    /// The code of the latest fetch that failed; nil when none did since.
    public let failure: FailureCode?
    /// The oldest first; at most `maxEditions`.
    public let editions: [Edition]

    public init(state: ChartState, source: DataSource?, failure: FailureCode?, editions: [Edition]) {
        self.state = state
        self.source = source
        self.failure = failure
        self.editions = editions
    }
}

/// Requests a film's rows of the daily charts, a page of them; the reply's payload is an `ArchiveRunReply`.
public struct ArchiveRunRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.run"
    /// A page of this many rows has fewer than 256 KB.
    public static let maxRows = 450

    public let code: String
    /// As the film's detail has it, for a film whose rows are not known.
    public let openingDay: Day?
    /// The first day of the page; nil for the first page.
    public let first: Day?
    public let last: Day
    /// How many charts that are not final may be fetched for the answer.
    public let calls: ItemLimit

    public init(code: String, openingDay: Day?, first: Day? = nil, last: Day, calls: ItemLimit) {
        self.code = code
        self.openingDay = openingDay
        self.first = first
        self.last = last
        self.calls = calls
    }
}

/// A page of a film's rows.
public struct ArchiveRunReply: Codable, Sendable, Equatable {
    /// In the order of the days.
    public let rows: [FilmDay]
    /// The days that were looked at, which are all that the run may have; nil when neither a row nor an opening day says
    /// where that may be.
    public let days: ClosedRange<Day>?
    /// Those of them whose charts are not known, in order.
    public let unknown: [ClosedRange<Day>]
    /// The first day of the next page; nil after the last one.
    public let next: Day?
    /// The least genuine source of the rows; nil without any.
    public let source: DataSource?
    /// Why the latest chart could not be fetched; nil when none was missing.
    public let failure: FailureCode?
    /// How many charts were fetched for this answer.
    public let calls: Int

    public init(
        rows: [FilmDay], days: ClosedRange<Day>?, unknown: [ClosedRange<Day>], next: Day?, source: DataSource?,
        failure: FailureCode?, calls: Int
    ) {
        self.rows = rows
        self.days = days
        self.unknown = unknown
        self.next = next
        self.source = source
        self.failure = failure
        self.calls = calls
    }
}
