/// Which stored values an answer may be made of, and whether anybody is asked for fresh ones: what `no-cache`,
/// `only-if-cached` and `max-stale` of HTTP say (RFC 9111, 5.2.1), and `stale-while-revalidate` (RFC 5861).
public struct AnswerPolicy: Sendable, Equatable {
    /// Asks the upstream even for what is stored and fresh.
    public var isRefresh: Bool
    /// Asks nobody but the cache.
    public var isOffline: Bool
    /// How long past its freshness a value still serves when there is no fresh one; nil: however long.
    public var maxStale: Duration?
    /// For how long past its freshness a value is answered at once while it is fetched anew.
    public var staleWhileRevalidate: Duration

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
    /// - Parameter ttl: seconds until it is stale, negative since then; nil when nobody said.
    public func allows(ttl: Int?) -> Bool {
        guard let maxStale else { return true }
        guard let ttl else { return false }
        return past(ttl) <= maxStale && maxStale > .zero
    }

    /// Whether it may serve at once, although it could be fetched anew.
    public func revalidates(ttl: Int) -> Bool {
        past(ttl) < staleWhileRevalidate && allows(ttl: ttl)
    }

    /// How long past its freshness; any number may come from elsewhere.
    private func past(_ ttl: Int) -> Duration { .zero - .seconds(ttl) }
}
