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
    /// Bytes of all bodies in the ledger.
    var ledgerBytes = 0
    /// What of it is each client's.
    var shares: [PeerID: LedgerShare] = [:]
    var workers: [PeerID: Worker] = [:]
    var services: [Frame: Service] = [:]
    var timers = Heap<EntryTimer>()
    /// When the next tick is due at the latest. What comes long after that without one tells that nothing ran.
    var tickDue: Duration?
    var pendingDropReports = PendingDropReports()
    /// By service; none where no suspect waits or is in flight.
    var suspects: [Frame: SuspectList] = [:]
    var crashTable: CrashTable
    var lostWorkers: LostWorkers
    var lastCrash: UInt64 = 0
    let describe: @Sendable (_ content: [Frame]) -> RequestDescription?
    var lastEntry: UInt64 = 0
    var lastUse: UInt64 = 0
    public internal(set) var counters = BrokerCounters()

    /// - Parameters:
    ///   - epoch: a number that no earlier run of this broker had; tickets of other epochs are stale.
    ///   - describe: reads a request's body without its control frame. It is called after crashes only. Without a
    ///     description all frames are the payload, and the kind is empty.
    public init(
        timing: MajordomoTiming = MajordomoTiming(), epoch: UInt64,
        describe: @escaping @Sendable (_ content: [Frame]) -> RequestDescription? = { _ in nil }
    ) {
        self.timing = timing
        self.epoch = epoch
        self.describe = describe
        crashTable = CrashTable(period: timing.suspicionPeriod, limit: timing.crashRecords)
        lostWorkers = LostWorkers(period: timing.suspicionPeriod, limit: timing.lostWorkers)
    }

    /// A message from a peer, without its address frame.
    public mutating func received(_ frames: [Frame], from peer: PeerID, at now: Duration) -> [Action] {
        var actions: [Action] = []
        // A request and a reply each cause about three.
        actions.reserveCapacity(4)
        noticeStandstill(until: now)
        do {
            switch try PeerMessage(frames) {
            case .client(let version, let message):
                clientSent(message, version, from: peer, at: now, &actions)
            case .worker(let version, let message):
                workerSent(message, version, from: peer, at: now, &actions)
            }
        } catch {
            malformed(error, from: peer, at: now, &actions)
        }
        return actions
    }

    private mutating func clientSent(
        _ message: ClientMessage, _ version: MajordomoVersion, from peer: PeerID, at now: Duration,
        _ actions: inout [Action]
    ) {
        // The decoder takes nothing else from a client.
        guard case .request(let service, let body) = message else { return }
        let client = Client(peer: peer, version: version)
        let isManagement = service.starts(with: ManagementService.prefix)
        if !isManagement { counters.requests += 1 }
        let control: ControlFrame?
        switch ControlFrame.read(body.first) {
        case .malformed: return malformedControl(in: body, service: service, by: client, at: now, &actions)
        case .plain: control = nil
        case .control(let frame): control = frame
        }
        counters.received[.clientRequest, default: 0] += 1
        if isManagement {
            managementRequested(service, control, body: body, by: client, at: now, &actions)
        } else {
            requested(service, control, body: body, by: client, at: now, &actions)
        }
    }

    /// RFC 18 answers a worker's wrong command with DISCONNECT; to a client it has nothing to say.
    private mutating func malformed(
        _ message: MalformedMessage, from peer: PeerID, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.malformed, message.fault, at: now, &actions)
        if let version = message.workerVersion { expel(peer, version, at: now, &actions) }
    }

    /// The socket knows no such peer any more, or its pipe is full: a worker is lost, a client gets nothing.
    public mutating func undeliverable(to peer: PeerID, at now: Duration) -> [Action] {
        var actions: [Action] = []
        drop(.undeliverable, at: now, &actions)
        if workers[peer] != nil {
            missed(peer, at: now)
            removeWorker(peer, reason: .unreachable, at: now, &actions)
            // A tick may have come upon it, and what that expected next was this worker's.
            tickDue = nextDeadline
        }
        return actions
    }
}
