/// The kinds of events in the stream, in addition to `answered(_:)` of every kind of request.
public enum EventKind {
    // Queries.
    public static let queryStarted = "query.started"
    public static let queryAnswered = "query.answered"
    public static let partRequested = "part.requested"
    public static let partArrived = "part.arrived"
    /// No worker answered a request.
    public static let partMissed = "part.missed"
    /// A fetcher or the cache was overloaded; the request is sent again.
    public static let partRefused = "part.refused"
    /// A stale value is shown and a new one is fetched.
    public static let partRevalidating = "part.revalidating"

    // The broker.
    public static let workerJoined = "broker.worker_joined"
    public static let workerLeft = "broker.worker_left"
    public static let workerRefused = "broker.worker_refused"
    public static let queued = "broker.queued"
    public static let dispatched = "broker.dispatched"
    public static let redelivered = "broker.redelivered"
    public static let answered = "broker.answered"
    public static let refused = "broker.refused"
    public static let cancelled = "broker.cancelled"
    public static let requestSuspected = "broker.request_suspected"
    public static let requestQuarantined = "broker.request_quarantined"
    public static let dropped = "broker.dropped"
    public static let peerRefused = "broker.peer_refused"
    public static let connectionsEnded = "broker.connections_ended"
    public static let tapJoined = "broker.tap_joined"
    /// The prefix of all kinds of the broker.
    public static let brokerPrefix = "broker."

    // The fetchers and the cache.
    public static let chartRevised = "chart.revised"
    public static let breakerOpen = breaker("open")
    public static let entryDamaged = "cache.entry_damaged"

    /// All kinds that are not announcements of answers.
    public static let all = [
        queryStarted, queryAnswered, partRequested, partArrived, partMissed, partRefused, partRevalidating,
        workerJoined, workerLeft, workerRefused, queued, dispatched, redelivered, answered, refused, cancelled,
        requestSuspected, requestQuarantined, dropped, peerRefused, connectionsEnded, tapJoined, chartRevised,
        breakerOpen, breaker("half_open"), breaker("closed"), entryDamaged,
    ]

    /// A circuit breaker changed its state.
    public static func breaker(_ state: String) -> String { "breaker.\(state)" }

    /// A worker answered a request of that kind.
    public static func answered(_ kind: String) -> String { kind + answeredSuffix }

    /// After these a stored part has another value; `key` is its cache key.
    public static let partChanges = [CachePutRequest.kind, CachePinRequest.kind, CacheUnpinRequest.kind].map(answered)

    /// The kind of the request whose answer an event announces; nil for other events.
    public static func answeredKind(of event: String) -> String? {
        event.hasSuffix(answeredSuffix) ? String(event.dropLast(answeredSuffix.count)) : nil
    }

    private static let answeredSuffix = ".answered"
}
