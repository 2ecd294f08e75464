public import Envelope

/// Puts exchanges together from events as they come, in whatever order their processes were heard.
///
/// Whatever never ends is given up after `patience`, and there is a bound to what is kept.
public struct ExchangeMatcher: Sendable {
    /// Microseconds; an asker waits a minute at most.
    public static let patience: Int64 = 70_000_000
    /// How much later than the broker a worker or an asker may be heard of the same exchange.
    private static let lag: Int64 = 250_000
    /// Between two looks for what is due.
    private static let interval: Int64 = 100_000
    private static let mostEntries = 20_000
    /// What is left when there are more: going through all of them for each one that is too many would take ages.
    private static let entriesAfterwards = 18_000

    private var entries: [String: ExchangeEntry] = [:]
    /// Requests in the order in which they were first heard of, those that have ended among them.
    private var order: [String] = []
    private var clock = StreamClock()
    private var lookAt: Int64 = 0
    private let givesUp: Bool

    /// - Parameter givesUp: false keeps everything until `finish`, for events that are all there.
    public init(givesUp: Bool = true) {
        self.givesUp = givesUp
    }

    /// Exchanges that the event completes, and those that nothing more is expected of.
    public mutating func take(_ event: Event) -> [Exchange] {
        let event = event.bounded
        clock.heard(event)
        guard let request = event.request, request.utf8.count == 32, event.isOfExchange,
            var entry = entries[request]
                ?? (event.mayBegin ? ExchangeEntry(request, at: event.at, heardAt: clock.now) : nil),
            !entry.isTold
        else { return due() }
        entry.note(event, at: clock.now)
        entry.isTold = entry.isComplete
        if entries[request] == nil { order.append(request) }
        entries[request] = entry
        return due() + (entry.isTold ? [entry.exchange] : [])
    }

    /// Exchanges that nothing more is expected of, now that so many microseconds have passed since the last call.
    public mutating func passed(_ microseconds: Int64) -> [Exchange] {
        clock.passed(microseconds)
        return due()
    }

    /// All that is left, open or not.
    public mutating func finish() -> [Exchange] {
        given { _ in true }
    }

    private mutating func due() -> [Exchange] {
        guard givesUp, clock.now >= lookAt || entries.count > Self.mostEntries else { return [] }
        let now = clock.now
        lookAt = now + Self.interval
        var tooMany = entries.count > Self.mostEntries ? entries.count - Self.entriesAfterwards : 0
        return given { entry in
            tooMany -= 1
            return tooMany >= 0 || entry.endedAt.map { $0 + Self.lag <= now } ?? (entry.heardAt + Self.patience <= now)
        }
    }

    private mutating func given(_ isDue: (ExchangeEntry) -> Bool) -> [Exchange] {
        var due: [Exchange] = []
        order = order.filter { request in
            guard let entry = entries[request] else { return false }
            guard isDue(entry) else { return true }
            entries[request] = nil
            // A late word about what has long been told is none of its own.
            if !entry.isTold, entry.queuedAt != nil || entry.endedAt != nil { due.append(entry.exchange) }
            return false
        }
        return due
    }
}
