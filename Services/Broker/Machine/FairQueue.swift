internal import DequeModule
internal import Majordomo

/// The waiting entries of one service, taken from the clients in rotation.
///
/// A flooding client delays only itself: any other client waits at most one round of the active clients.
struct FairQueue: Sendable {
    private var byClient: [PeerID: Deque<UInt64>] = [:]
    private var rotation = Deque<PeerID>()
    private(set) var count = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { count == 0 }

    func count(of client: PeerID) -> Int {
        byClient[client]?.count ?? 0
    }

    /// The number of entries before the next one of that client: its own, and as many rounds of all other clients.
    func countAhead(of client: PeerID) -> Int {
        let own = count(of: client)
        return byClient.reduce(own) { $1.key == client ? $0 : $0 + min($1.value.count, own + 1) }
    }

    mutating func append(_ entry: UInt64, of client: PeerID, bytes: Int) {
        if byClient[client] == nil { rotation.append(client) }
        byClient[client, default: []].append(entry)
        count += 1
        byteCount += bytes
    }

    /// Puts an entry back at the front: it has already waited.
    mutating func restore(_ entry: UInt64, of client: PeerID, bytes: Int) {
        if byClient[client] != nil { rotation.removeAll { $0 == client } }
        rotation.prepend(client)
        byClient[client, default: []].prepend(entry)
        count += 1
        byteCount += bytes
    }

    /// Takes the next entry; the caller subtracts its bytes with `release`.
    mutating func popFirst() -> UInt64? {
        guard let client = rotation.popFirst(), let entry = byClient[client]?.popFirst() else { return nil }
        if byClient[client]?.isEmpty == true {
            byClient[client] = nil
        } else {
            rotation.append(client)
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
            rotation.removeAll { $0 == client }
        }
        count -= 1
        byteCount -= bytes
    }

    /// The entries of one client, oldest first except for restored ones.
    func entries(of client: PeerID) -> [UInt64] { byClient[client].map { Array($0) } ?? [] }

    /// All waiting entries, in no particular order.
    var entries: [UInt64] { byClient.values.flatMap { Array($0) } }
}
