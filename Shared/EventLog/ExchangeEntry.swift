internal import Contracts
internal import Envelope

/// An exchange that is being put together.
struct ExchangeEntry: Sendable {
    var exchange: Exchange
    /// When it was first heard of, by the stream's time.
    let heardAt: Int64
    /// When it ended, by the stream's time.
    var endedAt: Int64?
    /// When the broker got it.
    var queuedAt: Int64?
    /// Has been told, and is kept for those of its events that come late.
    var isTold = false
    private var hasWorkersWord = false
    private var hasAskersWord = false

    init(_ request: String, at: Int64, heardAt: Int64) {
        exchange = Exchange(request: request, beganAt: at)
        self.heardAt = heardAt
    }

    var isComplete: Bool {
        switch exchange.outcome {
        case .answered: endedAt != nil && hasWorkersWord
        case .refused, .cancelled: endedAt != nil && hasAskersWord
        case .open: false
        }
    }

    /// - Parameter now: the stream's time.
    mutating func note(_ event: Event, at now: Int64) {
        exchange.beganAt = min(exchange.beganAt, event.at)
        let attributes = event.attributes
        if event.kind.hasPrefix(EventKind.brokerPrefix) {
            exchange.service = attributes["service"]?.description ?? exchange.service
        }
        switch event.kind {
        case EventKind.queued: queuedAt = event.at
        case EventKind.dispatched:
            exchange.instance = attributes["instance"]?.description
            exchange.attempts = attributes["attempt"]?.count ?? exchange.attempts
            exchange.queuedMicroseconds = attributes["queuedMicroseconds"]?.count
        case EventKind.redelivered: exchange.instance = nil
        case EventKind.answered:
            endedAt = now
            exchange.instance = attributes["instance"]?.description
            exchange.tookMicroseconds = attributes["tookMicroseconds"]?.count
            if exchange.outcome == .open { exchange.outcome = .answered(nil) }
        case EventKind.refused: ended(.refused(attributes["code"]?.description ?? ""), event, at: now)
        case EventKind.cancelled: ended(.cancelled, event, at: now)
        case EventKind.partMissed:
            // The broker says why, if it can still say anything.
            if exchange.outcome == .open { exchange.code = attributes["code"]?.description }
            note(part: event)
            if endedAt == nil, let code = exchange.code { ended(.refused(code), nil, at: now) }
        case EventKind.partRequested, EventKind.partArrived, EventKind.partRevalidating: note(part: event)
        default: take(workersWord: event)
        }
    }

    private mutating func ended(_ outcome: Exchange.Outcome, _ event: Event?, at now: Int64) {
        endedAt = now
        exchange.outcome = outcome
        if let event, let queuedAt { exchange.tookMicroseconds = Int(max(0, event.at - queuedAt)) }
    }

    private mutating func note(part event: Event) {
        hasAskersWord = true
        exchange.asker = event.source
        exchange.service = exchange.service ?? event.attributes["service"]?.description
        exchange.kind = exchange.kind ?? event.attributes["kind"]?.description
        exchange.subject = exchange.subject ?? event.attributes["what"]?.description
    }

    private mutating func take(workersWord event: Event) {
        let attributes = event.attributes
        hasWorkersWord = true
        exchange.kind = EventKind.answeredKind(of: event.kind)
        exchange.asker = attributes["from"]?.description ?? exchange.asker
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
    /// Says something of a request: the broker, its asker, or the worker that has answered it.
    var isOfExchange: Bool {
        switch kind {
        case EventKind.queued, EventKind.dispatched, EventKind.redelivered, EventKind.answered, EventKind.refused,
            EventKind.cancelled, EventKind.partRequested, EventKind.partArrived, EventKind.partMissed,
            EventKind.partRevalidating:
            true
        default: EventKind.answeredKind(of: kind) != nil
        }
    }

    /// Others come after the end as well, and would begin what never ends.
    var mayBegin: Bool { kind != EventKind.partArrived && kind != EventKind.partMissed }
}
