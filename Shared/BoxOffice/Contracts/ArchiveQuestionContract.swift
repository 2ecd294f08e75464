public import Domain
public import Envelope

/// The charts that an answer about a range rests on.
public struct ArchiveBasis: Codable, Sendable, Equatable {
    public let chart: ChartKind
    /// The days of the range.
    public let first: Day
    public let last: Day
    /// The number of charts of the range, and of those that are known.
    public let charts: Int
    public let known: Int
    /// How many of the known ones KOBIS may still correct.
    public let provisional: Int
    /// From the first chart that is not known until the last one; nil when all are known.
    public let missing: ClosedRange<Day>?
    /// The least genuine source of the charts; nil when none is known.
    public let source: DataSource?
    /// Why a chart could not be fetched; nil when none was missing.
    public let failure: FailureCode?
    /// How many charts and details were fetched for the answer.
    public let calls: Int

    public init(
        _ chart: ChartKind, _ days: ClosedRange<Day>, charts: Int, known: Int, provisional: Int,
        missing: ClosedRange<Day>?, source: DataSource?, failure: FailureCode?, calls: Int
    ) {
        self.chart = chart
        first = days.lowerBound
        last = days.upperBound
        self.charts = charts
        self.known = known
        self.provisional = provisional
        self.missing = missing
        self.source = source
        self.failure = failure
        self.calls = calls
    }

    public var days: ClosedRange<Day> { first...max(first, last) }

    /// Every chart is known and final.
    public var isComplete: Bool { known == charts && provisional == 0 }
}

/// A range of days, and how much may be fetched for an answer about it.
///
/// The days of a message are bounded by the days with charts where it is answered.
public struct ArchiveRange: Codable, Sendable, Equatable {
    public let days: ClosedRange<Day>
    /// How many charts and details may be fetched.
    public let calls: ItemLimit

    public init(_ days: ClosedRange<Day>, calls: ItemLimit) {
        self.days = days
        self.calls = calls
    }
}

/// Asks which films gained most in a range; the reply's payload is an `ArchiveTopReply`.
public struct ArchiveTopRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.top"
    public static let allowedLimit = 1...100

    public let range: ArchiveRange
    public let order: FilmGain.Order
    /// Only films of this group; nil for all.
    public let nation: NationGroup?
    /// The number of films, at most 100.
    public let limit: ItemLimit

    public init(_ range: ArchiveRange, by order: FilmGain.Order, nation: NationGroup?, limit: ItemLimit) {
        self.range = range
        self.order = order
        self.nation = nation
        self.limit = limit
    }
}

public struct ArchiveTopReply: Codable, Sendable, Equatable {
    /// Weekly charts stand for daily ones of which too many are missing.
    public let basis: ArchiveBasis
    /// In the order that was asked for, by what they gained at least.
    public let films: [FilmGain]
    /// The number of films that were in the ten.
    public let total: Int
    /// How many of them are left out because their country is not known; 0 unless one was asked for.
    public let withoutNation: Int

    public init(basis: ArchiveBasis, films: [FilmGain], total: Int, withoutNation: Int) {
        self.basis = basis
        self.films = films
        self.total = total
        self.withoutNation = withoutNation
    }
}

/// Asks for the admissions of the ten by the films' countries; the reply's payload is an `ArchiveShareReply`.
public struct ArchiveShareRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.share"
    /// A page has fewer than 256 KB.
    public static let maxPeriods = 1000

    public let range: ArchiveRange
    public let period: ChartPeriod
    /// The first day of a page; nil for the first page.
    public let page: Day?

    public init(_ range: ArchiveRange, by period: ChartPeriod, page: Day? = nil) {
        self.range = range
        self.period = period
        self.page = page
    }
}

public struct ArchiveShareReply: Codable, Sendable, Equatable {
    /// Of the whole range.
    public let basis: ArchiveBasis
    /// In order; those without a known chart as well.
    public let periods: [AudienceShare]
    /// The first day of the next page; nil after the last one.
    public let next: Day?
    /// The number of films whose country is not known.
    public let withoutNation: Int

    public init(basis: ArchiveBasis, periods: [AudienceShare], next: Day?, withoutNation: Int) {
        self.basis = basis
        self.periods = periods
        self.next = next
        self.withoutNation = withoutNation
    }
}

/// Asks for the records of a range; the reply's payload is an `ArchiveRecordsReply`.
public struct ArchiveRecordsRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.records"

    /// Nil for all that is archived; then nothing is fetched.
    public let range: ArchiveRange?

    public init(_ range: ArchiveRange?) {
        self.range = range
    }
}

public struct ArchiveRecordsReply: Codable, Sendable, Equatable {
    public let basis: ArchiveBasis
    /// The longest span of the range of which every chart is known; nil when none is.
    public let span: ClosedRange<Day>?
    /// The records of that span.
    public let records: [BoxOfficeRecord]

    public init(basis: ArchiveBasis, span: ClosedRange<Day>?, records: [BoxOfficeRecord]) {
        self.basis = basis
        self.span = span
        self.records = records
    }
}

/// Asks which films entered the ten; the reply's payload is an `ArchiveNewReply`.
public struct ArchiveNewRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.new"
    /// A page has fewer than 256 KB.
    public static let maxFilms = 500

    public let range: ArchiveRange
    /// The first day of a page; nil for the first page.
    public let page: Day?

    public init(_ range: ArchiveRange, page: Day? = nil) {
        self.range = range
        self.page = page
    }
}

public struct ArchiveNewReply: Codable, Sendable, Equatable {
    /// Of the whole range.
    public let basis: ArchiveBasis
    /// In the order of the days and ranks.
    public let films: [NewFilm]
    /// The first day of the next page; nil after the last one.
    public let next: Day?

    public init(basis: ArchiveBasis, films: [NewFilm], next: Day?) {
        self.basis = basis
        self.films = films
        self.next = next
    }
}

/// Asks who led each day and each week of a range; the reply's payload is an `ArchiveLeadersReply`.
public struct ArchiveLeadersRequest: Codable, Sendable, Equatable {
    public static let kind = "archive.leaders"
    /// A longer range is cut at its end.
    public static let maxDays = 400

    public let range: ArchiveRange

    public init(_ range: ArchiveRange) {
        self.range = range
    }
}

public struct ArchiveLeadersReply: Codable, Sendable, Equatable {
    public let basis: ArchiveBasis
    /// The days whose charts are known, in order.
    public let days: [ChartLeader]
    /// The weeks with a known chart, in order.
    public let weeks: [WeekLeader]

    public init(basis: ArchiveBasis, days: [ChartLeader], weeks: [WeekLeader]) {
        self.basis = basis
        self.days = days
        self.weeks = weeks
    }
}
