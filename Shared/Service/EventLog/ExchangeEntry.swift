internal import Contracts
internal import Envelope

/// An exchange that is being assembled.
struct ExchangeEntry: Sendable {
    var exchange: Exchange
    /// Time of its first event, by the stream clock.
    let firstSeenAt: Int64
    /// Time of its end, by the stream clock.
    var endedAt: Int64?
    /// Time of its arrival at the broker.
    var queuedAt: Int64?
    /// Already reported; the entry remains for late events.
    var isReported = false
    private var hasWorkerEvent = false
    private var hasRequesterEvent = false

    init(_ request: String, at: Int64, firstSeenAt: Int64) {
        exchange = Exchange(request: request, beganAt: at)
        self.firstSeenAt = firstSeenAt
    }

    var isComplete: Bool {
        switch exchange.outcome {
        case .answered: endedAt != nil && hasWorkerEvent
        case .refused, .cancelled: endedAt != nil && hasRequesterEvent
        case .open: false
        }
    }

    /// - Parameter now: the time of the stream clock.
    mutating func note(_ event: Event, at now: Int64) {
        exchange.beganAt = min(exchange.beganAt, event.at)
        let attributes = event.attributes
        if event.kind.hasPrefix(EventKind.brokerPrefix) {
            exchange.service = attributes["service"]?.description ?? exchange.service
        }
        switch EventKind(rawValue: event.kind) {
        case .queued: queuedAt = event.at
        case .dispatched:
            exchange.instance = attributes["instance"]?.description
            exchange.attempts = attributes["attempt"]?.count ?? exchange.attempts
            exchange.queuedMicroseconds = attributes["queuedMicroseconds"]?.count
        case .redelivered: exchange.instance = nil
        case .answered:
            endedAt = now
            exchange.instance = attributes["instance"]?.description
            exchange.tookMicroseconds = attributes["tookMicroseconds"]?.count
            if exchange.outcome == .open { exchange.outcome = .answered(nil) }
        case .refused: setEnd(.refused(attributes["code"]?.description ?? ""), event, at: now)
        case .cancelled: setEnd(.cancelled, event, at: now)
        case .partMissed:
            // A refusal of the broker, if received, has the code.
            if exchange.outcome == .open { exchange.code = attributes["code"]?.description }
            note(part: event)
            if endedAt == nil, let code = exchange.code { setEnd(.refused(code), nil, at: now) }
        case .partRequested, .partArrived, .partRevalidating: note(part: event)
        default: take(workerEvent: event)
        }
    }

    private mutating func setEnd(_ outcome: Exchange.Outcome, _ event: Event?, at now: Int64) {
        endedAt = now
        exchange.outcome = outcome
        if let event, let queuedAt { exchange.tookMicroseconds = Int(max(0, event.at - queuedAt)) }
    }

    private mutating func note(part event: Event) {
        hasRequesterEvent = true
        exchange.requester = event.source
        exchange.service = exchange.service ?? event.attributes["service"]?.description
        exchange.kind = exchange.kind ?? event.attributes["kind"]?.description
        exchange.subject = exchange.subject ?? event.attributes["what"]?.description
    }

    private mutating func take(workerEvent event: Event) {
        let attributes = event.attributes
        hasWorkerEvent = true
        exchange.kind = EventKind.answeredKind(of: event.kind)
        exchange.requester = attributes["from"]?.description ?? exchange.requester
        exchange.parent = attributes["parent"]?.description
        exchange.subject = attributes["key"]?.description ?? exchange.subject
        exchange.instance = exchange.instance ?? event.source
        exchange.cache = attributes["cache"]?.description
        exchange.code = attributes["code"]?.description
        exchange.upstreamMicroseconds = attributes["upstreamMicroseconds"]?.count
        if let keys = attributes["keys"]?.count, let hits = attributes["hits"]?.count, hits <= keys, keys <= 10_000 {
            exchange.lookup = Exchange.Lookup(keys: keys, hits: hits)
        }
        switch exchange.outcome {
        case .open, .answered: exchange.outcome = .answered(attributes["status"]?.description)
        case .refused, .cancelled: break
        }
    }
}

extension Event {
    /// Whether the event is about a request: from the broker, the requester, or the worker that answered it.
    var isOfExchange: Bool {
        switch EventKind(rawValue: kind) {
        case .queued, .dispatched, .redelivered, .answered, .refused,
            .cancelled, .partRequested, .partArrived, .partMissed,
            .partRevalidating:
            true
        default: EventKind.answeredKind(of: kind) != nil
        }
    }

    /// Other events may follow the end, and would start an exchange that never ends.
    var canStartExchange: Bool { kind != EventKind.partArrived && kind != EventKind.partMissed }
}
