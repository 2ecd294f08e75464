internal import DequeModule

extension BrokerStateMachine {
    struct Client: Sendable, Hashable {
        let peer: PeerID
        let version: MajordomoVersion
    }

    /// The ledger's key: the same request seen again is the same entry.
    struct RequestKey: Sendable, Hashable {
        let client: PeerID
        let id: RequestID
    }

    struct Entry: Sendable {
        enum State: Sendable, Equatable {
            case queued
            case dispatched(to: PeerID)
        }

        let client: Client
        let service: Frame
        /// The service's name as text, for the events.
        let serviceName: String
        /// Nil for a plain body.
        let control: ControlFrame?
        /// The body without its control frame.
        let content: [Frame]
        let byteCount: Int
        let arrivedAt: Duration
        let deadline: Duration
        var state = State.queued
        var queuedSince: Duration
        var queuedTotal: Duration = .zero
        /// When the earliest of its timers rings.
        var reminder: Duration?
        var handedOutAt: Duration = .zero
        var attempts: UInt8 = 0
        /// Part of the answer is with the client: another worker would repeat it.
        var hasForwardedPartial = false
        /// It waits among the suspects of its service, or has been dispatched from there.
        var isSuspect = false
        /// That of its fingerprint; nil while it has not been needed.
        var hash: Int?

        init(
            client: Client, service: Frame, serviceName: String, control: ControlFrame?, content: [Frame],
            arrivedAt: Duration, deadline: Duration
        ) {
            self.client = client
            self.service = service
            self.serviceName = serviceName
            self.control = control
            self.content = content
            byteCount = content.reduce(ControlFrame.size) { $0 + $1.count }
            self.arrivedAt = arrivedAt
            self.deadline = deadline
            queuedSince = arrivedAt
        }

        /// RFC 18 takes workers to be idempotent, so a plain body may be handed out again.
        var isIdempotent: Bool { control?.flags.contains(.idempotent) ?? true }
    }

    struct Worker: Sendable {
        let version: MajordomoVersion
        let service: Frame
        let options: WorkerOptions
        /// Took part in our READY extension.
        let isOurs: Bool
        /// Silent for longer, it is taken for dead.
        let silenceLimit: Duration
        /// The attempt that it works on, by entry.
        var inFlight: [UInt64: UInt8] = [:]
        /// Of these, the ones that ended while it had them.
        var ended: [UInt64: CrashTable.Charge] = [:]
        var lastHeard: Duration
        var lastSent: Duration
        var lastUse: UInt64
        var isDraining = false
        let joinedAt: Duration
        var served = 0

        var hasRoom: Bool { !isDraining && inFlight.count < options.capacity }
    }

    struct Service: Sendable {
        var workers: [PeerID] = []
        var queue = FairQueue()
        /// When it last had no worker; nil while it has one.
        var workerlessSince: Duration?
        /// From hand-out to answer, a moving mean; nil before the first answer.
        var meanWork: Duration?

        mutating func measured(work: Duration) {
            // A weight of 1/8 forgets a slow start within some dozen answers.
            meanWork = meanWork.map { $0 + (work - $0) / 8 } ?? work
        }
    }

    /// Reminds of an entry; it may be gone by then.
    struct EntryTimer: Sendable, Comparable {
        let due: Duration
        let entry: UInt64

        static func < (left: EntryTimer, right: EntryTimer) -> Bool {
            (left.due, left.entry) < (right.due, right.entry)
        }
    }
}
