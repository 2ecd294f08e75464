import DequeModule
import ZeroMQ

/// Decides which refusals are reported: of each key, or of no key, at each address the first.
///
/// A refused peer may come back for ever. What is remembered is bounded twice: the oldest are forgotten, and one address is
/// reported with so many keys only, so that a stranger with ever new keys cannot fill the event stream.
///
/// Two kinds of news are held back for a while. A handshake that was broken off may be that of a good peer which ended: it
/// says nothing where a listed key was let in around that time. A peer whose address could not be read most often comes
/// back and is seen then.
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

    /// A peer with a listed key was let in.
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
            return remembers(peer) ? nil : peer
        }
        if peer.hasBrokenOff, wasAdmitted(at: peer.address, around: now) { return nil }
        let entry = Entry(peer)
        if !entries.contains(entry), !held.contains(where: { Entry($0.peer) == entry }), held.count < Self.maxHeld {
            held.append((peer, now + BrokerTiming.refusalReportDelay))
        }
        return nil
    }

    /// - Returns: the peers that have been held back long enough.
    mutating func ticked(at now: Duration) -> [RefusedPeer] {
        let due = held.prefix { $0.until <= now }.map(\.peer)
        held.removeFirst(due.count)
        return due.filter { !remembers($0) }
    }

    var nextDeadline: Duration? { held.first?.until }

    private func wasAdmitted(at address: String?, around now: Duration) -> Bool {
        let times = address.map { address in admissions[address].map { [$0] } ?? [] } ?? Array(admissions.values)
        return times.contains { $0 + BrokerTiming.refusalReportDelay > now }
    }

    /// Whether this has been reported, or must not be; if not, it is taken as reported from now on.
    private mutating func remembers(_ peer: RefusedPeer) -> Bool {
        let entry = Entry(peer)
        guard !entries.contains(entry), countByAddress[entry.address, default: 0] < maxEntriesPerAddress else {
            return true
        }
        entries.insert(entry)
        order.append(entry)
        countByAddress[entry.address, default: 0] += 1
        if order.count > maxEntries, let oldest = order.popFirst() { forget(oldest) }
        return false
    }

    private mutating func forget(_ entry: Entry) {
        entries.remove(entry)
        let count = countByAddress[entry.address, default: 1] - 1
        countByAddress[entry.address] = count == 0 ? nil : count
    }
}
