public import Domain
public import Envelope

/// Calls begun a second.
public typealias CallRate = Bounded<CallRateBounds>
public enum CallRateBounds: NumberBounds {
    public static let allowed = 1...100
}

/// Requests how many charts of a range are missing; the reply's payload is an `ArchiveEstimateReply`.
public struct ArchiveEstimateRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.estimate"

    public let chart: ChartKind
    public let days: ClosedRange<Day>

    public init(_ chart: ChartKind, _ days: ClosedRange<Day>) {
        self.chart = chart
        self.days = days
    }
}

public struct ArchiveEstimateReply: Codable, Sendable, Equatable {
    /// The charts of the range, and those of them that are neither settled nor empty.
    public let charts: Int
    public let missing: Int
    /// The films of the known charts whose details are not known.
    public let films: Int

    public init(charts: Int, missing: Int, films: Int) {
        self.charts = charts
        self.missing = missing
        self.films = films
    }
}

/// Orders the archive to fetch the missing charts of a range; the reply's payload is an `ArchiveFillOrder`.
///
/// An open order for the same charts is joined, and goes on if it was paused.
public struct ArchiveFillRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.fill"

    public let chart: ChartKind
    public let days: ClosedRange<Day>
    /// Whether the details of the charts' films are fetched after the charts.
    public let details: Bool
    /// Nil without a limit.
    public let rate: CallRate?

    public init(_ chart: ChartKind, _ days: ClosedRange<Day>, details: Bool = false, rate: CallRate?) {
        self.chart = chart
        self.days = days
        self.details = details
        self.rate = rate
    }
}

/// Changes open orders; the reply's payload is an `ArchiveStatusReply`.
public struct ArchiveFillChangeRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.change"

    public enum Change: String, Codable, Sendable {
        case pause, resume, cancel
    }

    public let change: Change
    /// Nil for all open orders.
    public let order: Int?

    public init(_ change: Change, order: Int? = nil) {
        self.change = change
        self.order = order
    }
}

/// Requests how far an order is; the reply's payload is an `ArchiveFillOrder`.
public struct ArchiveOrderRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.order"

    public let order: Int

    public init(_ order: Int) {
        self.order = order
    }
}

/// Requests what the archive has, with an empty payload; the reply's payload is an `ArchiveStatusReply`.
public enum ArchiveStatusRequest {
    public static let kind = "archive.status"
}

public struct ArchiveStatusReply: Codable, Sendable, Equatable {
    /// The charts of a kind and year that have been asked for.
    public struct Year: Codable, Sendable, Equatable {
        public let chart: ChartKind
        public let year: Int
        public let settled: Int
        public let provisional: Int
        public let empty: Int
        public let failed: Int

        public init(chart: ChartKind, year: Int, settled: Int, provisional: Int, empty: Int, failed: Int) {
            self.chart = chart
            self.year = year
            self.settled = settled
            self.provisional = provisional
            self.empty = empty
            self.failed = failed
        }
    }

    /// By kind, then by year.
    public let years: [Year]
    /// The open orders, the oldest first, and the latest ones that have ended.
    public let orders: [ArchiveFillOrder]
    /// The new path of a damaged database that was moved aside at the start; nil when none was.
    public let setAside: String?

    public init(years: [Year], orders: [ArchiveFillOrder], setAside: String? = nil) {
        self.years = years
        self.orders = orders
        self.setAside = setAside
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(years, forKey: .years)
        try container.encode(orders, forKey: .orders)
        try container.encode(setAside, forKey: .setAside)
    }

    private enum CodingKeys: CodingKey {
        case years, orders, setAside
    }
}

/// An order to fill, and how far it is.
public struct ArchiveFillOrder: Codable, Sendable, Equatable {
    public enum State: String, Codable, Sendable {
        /// Waits for an older order.
        case waiting
        case running
        /// The calls of the day are used up, or reserved.
        case quota
        case paused
        case ended
        case cancelled

        public var isOpen: Bool { self != .ended && self != .cancelled }
    }

    public let id: Int
    public let chart: ChartKind
    public let days: ClosedRange<Day>
    /// Whether the details of the charts' films are fetched after the charts.
    public let details: Bool
    /// Nil without a limit.
    public let rate: CallRate?
    public let state: State
    /// The charts of the range, and those of them that are left to fetch.
    public let charts: Int
    public let missing: Int
    /// The details that are left to fetch; 0 while charts are missing, and for an order without details.
    public let films: Int
    /// The charts and details that could not be fetched.
    public let failed: Int
    /// When it goes on, in milliseconds since 1970; nil unless its state is `quota`.
    public let resumesAt: Int64?
    /// Why it is paused, or why charts have failed: the latest failure's code.
    public let failure: FailureCode?

    public init(
        id: Int, chart: ChartKind, days: ClosedRange<Day>, details: Bool, rate: CallRate?, state: State, charts: Int,
        missing: Int, films: Int, failed: Int, resumesAt: Int64?, failure: FailureCode?
    ) {
        self.id = id
        self.chart = chart
        self.days = days
        self.details = details
        self.films = films
        self.rate = rate
        self.state = state
        self.charts = charts
        self.missing = missing
        self.failed = failed
        self.resumesAt = resumesAt
        self.failure = failure
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(chart, forKey: .chart)
        try container.encode(days.lowerBound, forKey: .first)
        try container.encode(days.upperBound, forKey: .last)
        try container.encode(details, forKey: .details)
        try container.encode(films, forKey: .films)
        try container.encode(rate, forKey: .rate)
        try container.encode(state, forKey: .state)
        try container.encode(charts, forKey: .charts)
        try container.encode(missing, forKey: .missing)
        try container.encode(failed, forKey: .failed)
        try container.encode(resumesAt, forKey: .resumesAt)
        try container.encode(failure, forKey: .failure)
    }

    private enum CodingKeys: CodingKey {
        case id, chart, first, last, details, rate, state, charts, missing, films, failed, resumesAt, failure
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let first = try container.decode(Day.self, forKey: .first)
        let last = try container.decode(Day.self, forKey: .last)
        self.init(
            id: try container.decode(Int.self, forKey: .id),
            chart: try container.decode(ChartKind.self, forKey: .chart), days: min(first, last)...max(first, last),
            details: try container.decode(Bool.self, forKey: .details),
            rate: try container.decodeIfPresent(CallRate.self, forKey: .rate),
            state: try container.decode(State.self, forKey: .state),
            charts: try container.decode(Int.self, forKey: .charts),
            missing: try container.decode(Int.self, forKey: .missing),
            films: try container.decode(Int.self, forKey: .films),
            failed: try container.decode(Int.self, forKey: .failed),
            resumesAt: try container.decodeIfPresent(Int64.self, forKey: .resumesAt),
            failure: try container.decodeIfPresent(FailureCode.self, forKey: .failure))
    }
}

extension ChartSelection {
    /// The charts of a kind with days of a range, in order.
    public static func all(_ kind: ChartKind, in days: ClosedRange<Day>) -> [ChartSelection] {
        guard kind != .daily else { return days.map { .daily($0) } }
        let monday = Week(of: days.lowerBound).monday
        return stride(from: monday, through: days.upperBound, by: 7).map { ChartSelection(kind, around: $0) }
    }

    /// The number of them.
    public static func count(_ kind: ChartKind, in days: ClosedRange<Day>) -> Int {
        kind == .daily ? days.count : days.upperBound.days(since: Week(of: days.lowerBound).monday) / 7 + 1
    }
}
