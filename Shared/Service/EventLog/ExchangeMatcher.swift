public import Envelope

/// Assembles exchanges from events; events of different processes may arrive in any order.
///
/// Exchanges without an end expire after `timeout`, and the number of entries is limited.
public struct ExchangeMatcher: Sendable {
    /// Microseconds; a requester waits one minute at most.
    public static let timeout: Int64 = 70_000_000
    /// Maximum delay of the events of a worker or a requester after those of the broker.
    private static let lag: Int64 = 250_000
    /// Time between two checks for due entries.
    private static let interval: Int64 = 100_000
    private static let mostEntries = 20_000
    /// Entries that remain when the limit is exceeded: the scan of all entries must not run for every new one.
    private static let entriesAfterwards = 18_000

    private var entries: [String: ExchangeEntry] = [:]
    /// Requests in the order of their first events, including those that ended.
    private var order: [String] = []
    private var clock = StreamClock()
    private var nextCheckAt: Int64 = 0
    private let expires: Bool

    /// - Parameter expires: false keeps all entries until `finish`, for a complete list of events.
    public init(expires: Bool = true) {
        self.expires = expires
    }

    /// Adds an event.
    ///
    /// - Returns: the exchange that it completes, and expired exchanges.
    public mutating func take(_ event: Event) -> [Exchange] {
        let event = event.bounded
        clock.observe(event)
        guard let request = event.request, request.utf8.count == 32, event.isOfExchange,
            var entry = entries[request]
                ?? (event.canStartExchange ? ExchangeEntry(request, at: event.at, firstSeenAt: clock.now) : nil),
            !entry.isReported
        else { return removeDue() }
        entry.note(event, at: clock.now)
        entry.isReported = entry.isComplete
        if entries[request] == nil { order.append(request) }
        entries[request] = entry
        return removeDue() + (entry.isReported ? [entry.exchange] : [])
    }

    /// Adds the time since the last call.
    ///
    /// - Returns: expired exchanges.
    public mutating func advance(by microseconds: Int64) -> [Exchange] {
        clock.advance(by: microseconds)
        return removeDue()
    }

    /// - Returns: all remaining exchanges, open or not.
    public mutating func finish() -> [Exchange] {
        removeEntries { _ in true }
    }

    private mutating func removeDue() -> [Exchange] {
        guard expires, clock.now >= nextCheckAt || entries.count > Self.mostEntries else { return [] }
        let now = clock.now
        nextCheckAt = now + Self.interval
        var tooMany = entries.count > Self.mostEntries ? entries.count - Self.entriesAfterwards : 0
        return removeEntries { entry in
            tooMany -= 1
            return tooMany >= 0
                || entry.endedAt.map { $0 + Self.lag <= now } ?? (entry.firstSeenAt + Self.timeout <= now)
        }
    }

    private mutating func removeEntries(where isDue: (ExchangeEntry) -> Bool) -> [Exchange] {
        var due: [Exchange] = []
        order = order.filter { request in
            guard let entry = entries[request] else { return false }
            guard isDue(entry) else { return true }
            entries[request] = nil
            // A late event of a reported exchange is no exchange.
            if !entry.isReported, entry.queuedAt != nil || entry.endedAt != nil { due.append(entry.exchange) }
            return false
        }
        return due
    }
}
