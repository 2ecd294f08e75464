internal import DequeModule
internal import HeapModule

/// The broker as a pure value: messages and time in, messages and events out.
///
/// Its ledger holds every request from its arrival to its one answer. All times are `now`, the time since the broker's
/// start on its monotonic clock; nothing here reads a clock, a socket or a random source.
public struct BrokerStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case send(to: PeerID, [Frame])
        case note(LedgerEvent)
        /// A question about the broker (`mmi.…`) that the machine leaves to its owner; answer with `answer(_:…)`.
        case inspect(Inspection)
    }

    let timing: MajordomoTiming
    let epoch: UInt64
    var entries: [UInt64: Entry] = [:]
    var entryByRequest: [RequestKey: UInt64] = [:]
    var workers: [PeerID: Worker] = [:]
    var services: [Frame: Service] = [:]
    var timers = Heap<EntryTimer>()
    /// When the next tick is due at the latest. What comes long after that without one tells that nothing ran.
    var tickDue: Duration?
    var lastEntry: UInt64 = 0
    var lastUse: UInt64 = 0
    public internal(set) var counters = BrokerCounters()

    /// - Parameter epoch: a number that no earlier run of this broker had; tickets of other epochs are stale.
    public init(timing: MajordomoTiming = MajordomoTiming(), epoch: UInt64) {
        self.timing = timing
        self.epoch = epoch
    }

    /// A message from a peer, without its address frame.
    public mutating func received(_ frames: [Frame], from peer: PeerID, at now: Duration) -> [Action] {
        noticeStandstill(until: now)
        switch PeerMessage(frames) {
        case .client(let version, .request(let service, let body)):
            let client = Client(peer: peer, version: version)
            guard service.starts(with: Self.managementPrefix) else {
                return requested(service, body: body, by: client, at: now)
            }
            return managementRequested(service, body: body, by: client, at: now)
        case .worker(let version, let message):
            return workerSent(message, version, from: peer, at: now)
        case .client(_, .partial), .client(_, .final), nil:
            return [drop(.malformed)]
        }
    }

    /// The socket knows no such peer any more, or its pipe is full: a worker is lost, a client gets nothing.
    public mutating func undeliverable(to peer: PeerID, at now: Duration) -> [Action] {
        let dropped = drop(.undeliverable)
        guard workers[peer] != nil else { return [dropped] }
        // A tick may have come upon it, and what that expected next was this worker's.
        defer { tickDue = nextDeadline }
        return [dropped] + removeWorker(peer, reason: .unreachable, at: now)
    }

    mutating func drop(_ reason: DropReason) -> Action {
        counters.dropped[reason, default: 0] += 1
        return .note(.dropped(reason))
    }
}

/// What a broker has counted since its start.
public struct BrokerCounters: Sendable, Equatable {
    public var requests = 0
    public var answered = 0
    public var handOvers = 0
    public var refused: [Refusal: Int] = [:]
    public var dropped: [DropReason: Int] = [:]

    public init() {}
}
