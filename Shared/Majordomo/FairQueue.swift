internal import DequeModule

/// The waiting entries of one service, taken in turn from each client that has any.
///
/// A client that floods waits behind itself: whoever else asks waits at most one round of the active clients.
struct FairQueue: Sendable {
    private var byClient: [PeerID: Deque<UInt64>] = [:]
    private var turns = Deque<PeerID>()
    private(set) var count = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { count == 0 }

    func count(of client: PeerID) -> Int {
        byClient[client]?.count ?? 0
    }

    /// How many entries would be taken before the next one of that client: its own, and as many rounds of all others.
    func countAhead(of client: PeerID) -> Int {
        let own = count(of: client)
        return byClient.reduce(own) { $1.key == client ? $0 : $0 + min($1.value.count, own + 1) }
    }

    mutating func append(_ entry: UInt64, of client: PeerID, bytes: Int) {
        if byClient[client] == nil { turns.append(client) }
        byClient[client, default: []].append(entry)
        count += 1
        byteCount += bytes
    }

    /// Puts an entry back in front: it has waited its turn already.
    mutating func restore(_ entry: UInt64, of client: PeerID, bytes: Int) {
        if byClient[client] != nil { turns.removeAll { $0 == client } }
        turns.prepend(client)
        byClient[client, default: []].prepend(entry)
        count += 1
        byteCount += bytes
    }

    /// The next entry; the caller settles its bytes with `release`.
    mutating func popFirst() -> UInt64? {
        guard let client = turns.popFirst(), let entry = byClient[client]?.popFirst() else { return nil }
        if byClient[client]?.isEmpty == true {
            byClient[client] = nil
        } else {
            turns.append(client)
        }
        count -= 1
        return entry
    }

    mutating func release(bytes: Int) {
        byteCount -= bytes
    }

    mutating func remove(_ entry: UInt64, of client: PeerID, bytes: Int) {
        guard let index = byClient[client]?.firstIndex(of: entry) else { return }
        byClient[client]?.remove(at: index)
        if byClient[client]?.isEmpty == true {
            byClient[client] = nil
            turns.removeAll { $0 == client }
        }
        count -= 1
        byteCount -= bytes
    }

    /// Those of one client, oldest first but for what was put back.
    func entries(of client: PeerID) -> [UInt64] { byClient[client].map { Array($0) } ?? [] }

    /// All waiting entries, in no particular order.
    var entries: [UInt64] { byClient.values.flatMap { Array($0) } }
}
