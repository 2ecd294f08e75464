public import Envelope

/// Puts exchanges together from events as they come, in whatever order their processes were heard.
///
/// Time is that of the events. Whatever never ends is given up after `patience`, so that memory stays bounded.
public struct ExchangeMatcher: Sendable {
    /// An asker waits a minute at most.
    public static let patience: Int64 = 70_000_000
    /// How much later than the broker a worker may be heard of the same answer.
    private static let lag: Int64 = 250_000

    fileprivate struct Entry {
        var exchange: Exchange
        /// The broker has seen it end.
        var endedAt: Int64?
        var isQueued = false
        var hasWorkersWord = false
    }

    private var entries: [String: Entry] = [:]
    /// Requests in the order in which they were first heard of, those that have ended among them.
    private var order: [String] = []
    private var now: Int64 = .min
    /// The next moment at which something may be due.
    private var dueAt: Int64 = .max

    public init() {}

    /// Exchanges that the event completes.
    public mutating func take(_ event: Event) -> [Exchange] {
        guard let request = event.request, request.utf8.count == 32 else { return ticked(at: event.at) }
        var entry = entries[request] ?? Entry(exchange: Exchange(request: request, beganAt: event.at))
        guard entry.note(event) else { return ticked(at: event.at) }
        if entries[request] == nil { order.append(request) }
        entries[request] = entry
        if entry.isComplete {
            entries[request] = nil
            return ticked(at: event.at) + [entry.exchange]
        }
        dueAt = min(dueAt, entry.endedAt.map { $0 + Self.lag } ?? entry.exchange.beganAt + Self.patience)
        return ticked(at: event.at)
    }

    /// Exchanges that nothing more is expected of at this moment.
    public mutating func ticked(at moment: Int64) -> [Exchange] {
        now = max(now, moment)
        guard now >= dueAt else { return [] }
        return given { entry, now in
            entry.endedAt.map { $0 + Self.lag <= now } ?? (entry.exchange.beganAt + Self.patience <= now)
        }
    }

    /// All that is left, open or not.
    public mutating func finish() -> [Exchange] {
        given { _, _ in true }
    }

    private mutating func given(_ isDue: (Entry, Int64) -> Bool) -> [Exchange] {
        var due: [Exchange] = []
        dueAt = .max
        order = order.filter { request in
            guard let entry = entries[request] else { return false }
            guard isDue(entry, now) else {
                dueAt = min(dueAt, entry.endedAt.map { $0 + Self.lag } ?? entry.exchange.beganAt + Self.patience)
                return true
            }
            entries[request] = nil
            // A late word about what has long been told is none of its own.
            if entry.isQueued || entry.endedAt != nil { due.append(entry.exchange) }
            return false
        }
        return due
    }
}

extension ExchangeMatcher.Entry {
    fileprivate var isComplete: Bool {
        switch exchange.outcome {
        case .answered: endedAt != nil && hasWorkersWord
        case .refused, .cancelled: endedAt != nil
        case .open: false
        }
    }

    /// Takes what the event says; false when it says nothing of an exchange.
    fileprivate mutating func note(_ event: Event) -> Bool {
        exchange.beganAt = min(exchange.beganAt, event.at)
        let facts = event.facts
        switch event.kind {
        case "broker.queued":
            isQueued = true
            exchange.service = facts["service"]?.description
        case "broker.handed_out":
            exchange.service = facts["service"]?.description
            exchange.instance = facts["instance"]?.description
            exchange.attempts = facts["attempt"]?.number ?? exchange.attempts + 1
            exchange.queuedMicroseconds = facts["queuedMicroseconds"]?.number
        case "broker.handed_over": exchange.instance = nil
        case "broker.answered":
            endedAt = event.at
            exchange.service = facts["service"]?.description
            exchange.instance = facts["instance"]?.description
            exchange.tookMicroseconds = facts["tookMicroseconds"]?.number
            if exchange.outcome == .open { exchange.outcome = .answered(nil) }
        case "broker.refused":
            endedAt = event.at
            exchange.service = facts["service"]?.description
            exchange.outcome = .refused(facts["code"]?.description ?? "")
            exchange.tookMicroseconds = Int(event.at - exchange.beganAt)
        case "broker.cancelled":
            endedAt = event.at
            exchange.outcome = .cancelled
            exchange.tookMicroseconds = Int(event.at - exchange.beganAt)
        case "part.requested", "part.arrived", "part.missed", "part.revalidating":
            exchange.asker = event.source
            exchange.subject = exchange.subject ?? facts["what"]?.description
        default:
            guard event.kind.hasSuffix(".answered") else { return false }
            take(workersWord: event)
        }
        return true
    }

    private mutating func take(workersWord event: Event) {
        let facts = event.facts
        hasWorkersWord = true
        exchange.kind = String(event.kind.dropLast(".answered".count))
        exchange.asker = facts["from"]?.description ?? exchange.asker
        exchange.parent = facts["parent"]?.description
        exchange.subject = facts["key"]?.description ?? exchange.subject
        exchange.instance = exchange.instance ?? event.source
        exchange.cache = facts["cache"]?.description
        exchange.code = facts["code"]?.description
        exchange.upstreamMicroseconds = facts["upstreamMicroseconds"]?.number
        if let keys = facts["keys"]?.number, let hits = facts["hits"]?.number {
            exchange.lookup = Exchange.Lookup(keys: keys, hits: hits)
        }
        switch exchange.outcome {
        case .open, .answered: exchange.outcome = .answered(facts["status"]?.description)
        case .refused, .cancelled: break
        }
    }
}

extension Fact {
    fileprivate var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }
}
