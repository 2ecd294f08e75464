/// The suspects of one service: they wait apart from its queue, and one at a time is in flight, alone at its worker.
struct SuspectList: Sendable {
    /// Oldest first.
    private(set) var waiting: [UInt64] = []
    private(set) var byteCount = 0
    /// The worker that has a suspect, or is to get the next one. Nothing else is dispatched to it.
    private(set) var worker: PeerID?
    /// The suspect that the worker has.
    private(set) var inFlight: UInt64?

    var count: Int { waiting.count }
    /// Nobody waits, and no worker is kept free.
    var isIdle: Bool { waiting.isEmpty && inFlight == nil }

    mutating func insert(_ entry: UInt64, bytes: Int) {
        waiting.insert(entry, at: waiting.firstIndex { $0 > entry } ?? waiting.endIndex)
        byteCount += bytes
    }

    mutating func remove(_ entry: UInt64, bytes: Int) {
        guard let index = waiting.firstIndex(of: entry) else { return }
        waiting.remove(at: index)
        byteCount -= bytes
    }

    /// Keeps a worker free until it has nothing in flight.
    mutating func reserve(_ peer: PeerID?) { worker = peer }

    mutating func began(_ entry: UInt64, at peer: PeerID, bytes: Int) {
        remove(entry, bytes: bytes)
        (worker, inFlight) = (peer, entry)
    }

    /// A worker is through with an entry.
    mutating func ended(_ entry: UInt64, at peer: PeerID) {
        guard inFlight == entry else { return }
        lost(peer)
    }

    mutating func lost(_ peer: PeerID) {
        if worker == peer { (worker, inFlight) = (nil, nil) }
    }
}
