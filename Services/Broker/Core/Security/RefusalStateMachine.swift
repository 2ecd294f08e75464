import DequeModule
import ZeroMQ

/// Decides which refusals are reported: of each key, or of no key, at each address the first.
///
/// A refused peer may reconnect indefinitely. The memory has two bounds: the oldest entries are evicted, and one
/// address is reported with a limited number of keys, so that an unauthenticated peer with ever new keys cannot fill
/// the event stream.
///
/// Two kinds of refusals are delayed. A handshake that was broken off may belong to a legitimate peer that ended: it is
/// not reported if a listed key was admitted around that time. A peer whose address could not be read usually
/// reconnects, and its address is read then.
struct RefusalStateMachine: Sendable {
    private static let maxHeld = 16

    private struct Entry: Hashable {
        let address: String?
        let key: CurvePublicKey?

        init(_ peer: RefusedPeer) {
            (address, key) = (peer.address, peer.key)
        }
    }

    private let maxEntries: Int
    private let maxEntriesPerAddress: Int
    private var entries: Set<Entry> = []
    private var order = Deque<Entry>()
    private var countByAddress: [String?: Int] = [:]
    private var held: [(peer: RefusedPeer, until: Duration)] = []
    private var admissions: [String: Duration] = [:]

    init(maxEntries: Int = 1000, maxEntriesPerAddress: Int = 10) {
        self.maxEntries = maxEntries
        self.maxEntriesPerAddress = maxEntriesPerAddress
    }

    /// A peer with a listed key was admitted.
    mutating func admitted(at address: String, at now: Duration) {
        held.removeAll { $0.peer.hasBrokenOff && ($0.peer.address ?? address) == address }
        if admissions.count >= maxEntries { admissions = [:] }
        admissions[address] = now
    }

    /// - Returns: the peer, if it is to be reported now.
    mutating func refused(_ peer: RefusedPeer, at now: Duration) -> RefusedPeer? {
        if peer.address != nil, peer.key == nil { held.removeAll { $0.peer.address == nil } }
        if peer.address != nil, !peer.hasBrokenOff {
            held.removeAll { $0.peer.address == peer.address }
            return recordReport(of: peer) ? peer : nil
        }
        if peer.hasBrokenOff, wasAdmitted(at: peer.address, around: now) { return nil }
        let entry = Entry(peer)
        if !entries.contains(entry), !held.contains(where: { Entry($0.peer) == entry }), held.count < Self.maxHeld {
            held.append((peer, now + BrokerTiming.refusalReportDelay))
        }
        return nil
    }

    /// - Returns: the delayed peers that are to be reported now.
    mutating func ticked(at now: Duration) -> [RefusedPeer] {
        let due = held.prefix { $0.until <= now }.map(\.peer)
        held.removeFirst(due.count)
        return due.filter { recordReport(of: $0) }
    }

    var nextDeadline: Duration? { held.first?.until }

    private func wasAdmitted(at address: String?, around now: Duration) -> Bool {
        let times = address.map { address in admissions[address].map { [$0] } ?? [] } ?? Array(admissions.values)
        return times.contains { $0 + BrokerTiming.refusalReportDelay > now }
    }

    /// Records the peer as reported.
    ///
    /// - Returns: false when it has been reported before, or its address has reached the limit of reports.
    private mutating func recordReport(of peer: RefusedPeer) -> Bool {
        let entry = Entry(peer)
        guard !entries.contains(entry), countByAddress[entry.address, default: 0] < maxEntriesPerAddress else {
            return false
        }
        entries.insert(entry)
        order.append(entry)
        countByAddress[entry.address, default: 0] += 1
        if order.count > maxEntries, let oldest = order.popFirst() { forget(oldest) }
        return true
    }

    private mutating func forget(_ entry: Entry) {
        entries.remove(entry)
        let count = countByAddress[entry.address, default: 1] - 1
        countByAddress[entry.address] = count == 0 ? nil : count
    }
}
