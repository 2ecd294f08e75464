public import Envelope

/// The kinds of events in the stream, in addition to `answered(_:)` of every kind of request.
public enum EventKind: String, CaseIterable, Sendable {
    // Queries.
    case queryStarted = "query.started"
    case queryAnswered = "query.answered"
    case partRequested = "part.requested"
    case partArrived = "part.arrived"
    /// No worker answered a request.
    case partMissed = "part.missed"
    /// A fetcher or the cache was overloaded; the request is sent again.
    case partRefused = "part.refused"
    /// A stale value is shown and a new one is fetched.
    case partRevalidating = "part.revalidating"

    // The broker.
    case workerJoined = "broker.worker_joined"
    case workerLeft = "broker.worker_left"
    case workerRefused = "broker.worker_refused"
    case queued = "broker.queued"
    case dispatched = "broker.dispatched"
    case redelivered = "broker.redelivered"
    case answered = "broker.answered"
    case refused = "broker.refused"
    case cancelled = "broker.cancelled"
    case requestSuspected = "broker.request_suspected"
    case requestQuarantined = "broker.request_quarantined"
    case dropped = "broker.dropped"
    case peerRefused = "broker.peer_refused"
    case connectionsEnded = "broker.connections_ended"
    case tapJoined = "broker.tap_joined"

    // The fetchers and the cache.
    case chartRevised = "chart.revised"
    /// A circuit breaker changed its state.
    case breakerOpen = "breaker.open"
    case breakerHalfOpen = "breaker.half_open"
    case breakerClosed = "breaker.closed"
    case entryDamaged = "cache.entry_damaged"

    // The archive.
    /// It knows another edition of a chart, or that it is settled; `key` is its `ArchiveKey`.
    case chartArchived = "archive.chart_stored"
    case fillStarted = "archive.fill_started"
    case fillProgressed = "archive.fill_progressed"
    case fillPaused = "archive.fill_paused"
    case fillResumed = "archive.fill_resumed"
    case fillEnded = "archive.fill_ended"

    /// The prefix of all kinds of the broker.
    public static let brokerPrefix = "broker."

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

extension EventKind {
    public static func == (text: String, kind: EventKind) -> Bool { text == kind.rawValue }
    public static func != (text: String, kind: EventKind) -> Bool { text != kind.rawValue }
}

extension Event {
    public init(
        at: Int64, kind: EventKind, source: String, query: String? = nil, request: String? = nil,
        attributes: [String: AttributeValue] = [:]
    ) {
        self.init(
            at: at, kind: kind.rawValue, source: source, query: query, request: request, attributes: attributes)
    }
}
