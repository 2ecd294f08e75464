internal import DequeModule
internal import HeapModule
public import Majordomo
public import MessageBus

/// The broker as a value without input and output: it takes messages and the time, and returns messages and events.
///
/// Its ledger holds every request from its arrival to its single answer. All times are `now`, the time since the
/// broker's start on its monotonic clock; nothing here reads a clock, a socket or a random source.
public struct BrokerStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case send(to: PeerID, PeerMessage)
        case note(LedgerEvent)
        /// The connection of a peer must end: a newcomer with its identity is served only after that.
        case end(PeerID)
        /// A management request (`mmi.…`) for the owner of the machine; answer with `answer(_:…)`.
        case inspect(Inspection)
    }

    let timing: MajordomoTiming
    let epoch: UInt64
    var entries: [UInt64: Entry] = [:]
    var entryByRequest: [RequestKey: UInt64] = [:]
    /// The total size of all bodies in the ledger.
    var ledgerBytes = 0
    /// The share of each client in the ledger.
    var shares: [PeerID: LedgerShare] = [:]
    var workers: [PeerID: Worker] = [:]
    var services: [Frame: Service] = [:]
    var timers = Heap<EntryTimer>()
    /// The latest time of the next tick. An event long after it without a tick shows that the process was suspended.
    var tickDue: Duration?
    var pendingDropReports = PendingDropReports()
    /// By service; without an entry for a service that has no suspect.
    var suspects: [Frame: SuspectList] = [:]
    var crashTable: CrashTable
    var lostWorkers: LostWorkers
    var lastCrash: UInt64 = 0
    let describe: @Sendable (_ content: ArraySlice<Frame>) -> RequestDescription?
    var lastEntry: UInt64 = 0
    var lastUse: UInt64 = 0
    public internal(set) var counters = BrokerCounters()

    /// - Parameters:
    ///   - epoch: a number that no earlier run of this broker had; tickets of other epochs are stale.
    ///   - describe: reads a request's body without its control frame. It is called only after crashes. Without a
    ///     description, all frames are the payload and the kind is empty.
    public init(
        timing: MajordomoTiming = MajordomoTiming(), epoch: UInt64,
        describe: @escaping @Sendable (_ content: ArraySlice<Frame>) -> RequestDescription? = { _ in nil }
    ) {
        self.timing = timing
        self.epoch = epoch
        self.describe = describe
        crashTable = CrashTable(period: timing.suspicionPeriod, limit: timing.crashRecords)
        lostWorkers = LostWorkers(period: timing.suspicionPeriod, limit: timing.lostWorkers)
    }

    /// A message from a peer, without its address frame.
    public mutating func received(
        _ frames: [Frame], from peer: PeerID, rights: PeerRights = .all, at now: Duration, _ actions: inout [Action]
    ) {
        detectSuspension(until: now)
        do {
            switch try PeerMessage(frames) {
            case .client(let version, let message):
                handleClientMessage(message, version, from: peer, role: rights.role, at: now, &actions)
            case .worker(let version, let message):
                if case .ready(let service, _) = message, !rights.mayRegister(service) {
                    return refuseRegistration(of: service, version, by: peer, at: now, &actions)
                }
                handleWorkerMessage(message, version, from: peer, at: now, &actions)
            case .dispatch: break
            }
        } catch {
            handleMalformedMessage(error, from: peer, at: now, &actions)
        }
    }

    private mutating func handleClientMessage(
        _ message: ClientMessage, _ version: MajordomoVersion, from peer: PeerID, role: UInt8, at now: Duration,
        _ actions: inout [Action]
    ) {
        // The decoder accepts nothing else from a client.
        guard case .request(let service, var body) = message else { return }
        let client = Client(peer: peer, version: version)
        let isManagement = service.starts(with: ManagementService.prefix)
        if !isManagement { counters.requests += 1 }
        if body.isMalformed {
            return refuseMalformedControl(in: body, service: service, by: client, at: now, &actions)
        }
        counters.received.increment(.clientRequest)
        if isManagement {
            handleManagementRequest(service, body, by: client, at: now, &actions)
        } else {
            // Also in place of what the client itself has written there.
            body.control?.role = role
            handleRequest(service, body, by: client, at: now, &actions)
        }
    }

    /// RFC 18 answers a worker's invalid command with DISCONNECT; a client gets no answer.
    private mutating func handleMalformedMessage(
        _ message: MalformedMessage, from peer: PeerID, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.malformed, message.fault, at: now, &actions)
        if let version = message.workerVersion { expel(peer, version, at: now, &actions) }
    }

    /// The socket has no such peer any more, or its pipe is full: a worker is removed, a client loses the message.
    ///
    /// - Parameter time: when the lost message was queued.
    public mutating func undeliverable(
        to peer: PeerID, queuedAt time: Duration, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.undeliverable, at: now, &actions)
        if workers[peer] != nil {
            recordAbsence(of: peer, undeliveredSince: time, at: now)
            removeWorker(peer, reason: .unreachable, at: now, &actions)
            // The expected next tick may have been due to this worker.
            tickDue = nextDeadline
        }
    }
}
