internal import Majordomo

/// The suspects of one service. They wait outside its queue; one at a time is in flight, alone at its worker.
struct SuspectList: Sendable {
    /// Oldest first.
    private(set) var waiting: [UInt64] = []
    private(set) var byteCount = 0
    /// The worker that has a suspect or is reserved for the next one. Nothing else is dispatched to it.
    private(set) var worker: PeerID?
    /// The suspect that the worker has.
    private(set) var inFlight: UInt64?

    var count: Int { waiting.count }
    /// No suspect waits, and none is in flight.
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

    /// Reserves a worker until it has nothing in flight.
    mutating func reserve(_ peer: PeerID?) { worker = peer }

    mutating func begin(_ entry: UInt64, at peer: PeerID, bytes: Int) {
        remove(entry, bytes: bytes)
        (worker, inFlight) = (peer, entry)
    }

    /// A worker has finished an entry.
    mutating func end(_ entry: UInt64, at peer: PeerID) {
        guard inFlight == entry else { return }
        release(peer)
    }

    mutating func release(_ peer: PeerID) {
        if worker == peer { (worker, inFlight) = (nil, nil) }
    }
}
