public import BoxOffice

/// Asks chart-fetcher for the daily chart of a day; the reply's payload is a `DailyChart`.
public struct ChartRequest: PartRequest, Equatable {
    public static let kind = "chart.daily"

    public let date: Day
    /// Fetch even if a fresh one is stored.
    public let isRefresh: Bool

    public init(date: Day, isRefresh: Bool) {
        self.date = date
        self.isRefresh = isRefresh
    }

    public var cacheKey: String { CacheKey.make(Self.kind, ["date": date.iso]) }

    /// The attribute beside a stored chart that lists its films' codes, comma separated.
    public static let filmsAttribute = "films"
}
