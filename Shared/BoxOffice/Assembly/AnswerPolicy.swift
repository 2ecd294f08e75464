/// Which stored values may serve an answer, and whether fresh ones are fetched: the meaning of `no-cache`,
/// `only-if-cached` and `max-stale` of HTTP (RFC 9111, 5.2.1), and of `stale-while-revalidate` (RFC 5861).
public struct AnswerPolicy: Sendable, Equatable {
    /// Calls the upstream even for values that are stored and fresh.
    public var isRefresh: Bool
    /// Reads only the cache.
    public var isOffline: Bool
    /// How long past its freshness a value may serve when there is no fresh one; nil: without limit.
    public var maxStale: Duration?
    /// How long past its freshness a value is served at once while it is revalidated.
    public var staleWhileRevalidate: Duration

    /// The chart as the archive knew it then, in milliseconds since 1970; nil for now.
    public var asOf: Int64?

    public init(
        isRefresh: Bool = false, isOffline: Bool = false, maxStale: Duration? = nil,
        staleWhileRevalidate: Duration = .zero
    ) {
        self.isRefresh = isRefresh
        self.isOffline = isOffline
        self.maxStale = maxStale
        self.staleWhileRevalidate = staleWhileRevalidate
    }

    /// Whether a value that is no longer fresh may serve.
    ///
    /// - Parameter ttl: seconds until it is stale, negative since then; nil when unknown.
    public func allows(ttl: Int?) -> Bool {
        guard let maxStale else { return true }
        guard let ttl else { return false }
        return staleness(ttl) <= maxStale && maxStale > .zero
    }

    /// Whether a stale value may serve at once while it is revalidated.
    public func revalidates(ttl: Int) -> Bool {
        staleness(ttl) < staleWhileRevalidate && allows(ttl: ttl)
    }

    /// The time since the end of freshness; safe for any number that another process sends.
    private func staleness(_ ttl: Int) -> Duration { .zero - .seconds(ttl) }
}
