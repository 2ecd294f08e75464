/// The open connections of clients, bounded in total and per address: the one that has been idle longest makes room, else
/// the one that has been stalled longest.
///
/// A pure value. A connection is busy from the end of a request to the end of its response, and stalled while its client
/// takes no bytes that are sent to it.
struct OpenConnections<ID: Hashable & Sendable>: Sendable {
    private struct Connection {
        let address: ClientAddress?
        /// Requests that are not answered yet.
        /// Below 0 after a response that came before the end of its request.
        var requests = 0
        /// Counts the events of this table: the lower, the longer ago.
        var lastUse: UInt64
        var stalledSince: ContinuousClock.Instant?
    }

    private let maxTotal: Int
    private let maxPerAddress: Int
    private let shortestStall: Duration
    private var connections: [ID: Connection] = [:]
    private var perAddress: [ClientAddress: Int] = [:]
    private var uses: UInt64 = 0

    /// - Parameter shortestStall: after which a stalled connection may make room for another.
    init(maxTotal: Int, maxPerAddress: Int, shortestStall: Duration = .seconds(5)) {
        self.maxTotal = maxTotal
        self.maxPerAddress = maxPerAddress
        self.shortestStall = shortestStall
    }

    var count: Int { connections.count }

    /// - Parameter address: nil for a client without a limit of its own.
    /// - Returns: the connection to close; it is the new one when all others are busy.
    mutating func open(_ id: ID, from address: ClientAddress?, at now: ContinuousClock.Instant) -> ID? {
        var surplus: ID?
        if let address, perAddress[address, default: 0] >= maxPerAddress {
            surplus = dispensable(at: now) { $0.address == address } ?? id
        } else if connections.count >= maxTotal {
            surplus = dispensable(at: now) { _ in true } ?? id
        }
        if let surplus { close(surplus) }
        guard surplus != id else { return id }
        uses += 1
        connections[id] = Connection(address: address, lastUse: uses)
        if let address { perAddress[address, default: 0] += 1 }
        return surplus
    }

    mutating func beginRequest(on id: ID) { use(id, requests: 1) }

    mutating func endRequest(on id: ID) { use(id, requests: -1) }

    /// - Parameter start: nil when the client takes its bytes again.
    mutating func stall(_ id: ID, since start: ContinuousClock.Instant?) { connections[id]?.stalledSince = start }

    mutating func close(_ id: ID) {
        guard let address = connections.removeValue(forKey: id)?.address, let count = perAddress[address] else {
            return
        }
        perAddress[address] = count > 1 ? count - 1 : nil
    }

    private mutating func use(_ id: ID, requests change: Int) {
        guard let index = connections.index(forKey: id) else { return }
        uses += 1
        connections.values[index].lastUse = uses
        connections.values[index].requests += change
    }

    private func dispensable(at now: ContinuousClock.Instant, _ isCandidate: (Connection) -> Bool) -> ID? {
        let candidates = connections.filter { isCandidate($0.value) }
        if let idle = candidates.filter({ $0.value.requests <= 0 }).min(by: { $0.value.lastUse < $1.value.lastUse }) {
            return idle.key
        }
        return candidates.compactMap { id, connection in connection.stalledSince.map { (id: id, since: $0) } }
            .filter { now - $0.since > shortestStall }
            .min { $0.since < $1.since }?.id
    }
}
