internal import DequeModule
internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    struct Client: Sendable, Hashable {
        let peer: PeerID
        let version: MajordomoVersion
    }

    /// The ledger's key: a repeated request is the same entry.
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
        let body: MessageBody
        let byteCount: Int
        let arrivedAt: Duration
        let deadline: Duration
        var state = State.queued
        var queuedSince: Duration
        var queuedTotal: Duration = .zero
        /// When the earliest of its timers is due.
        var reminder: Duration?
        var dispatchedAt: Duration = .zero
        var attempts: UInt8 = 0
        /// The client has part of the answer: another worker would repeat it.
        var hasForwardedPartial = false
        /// It waits in the suspect list of its service, or has been dispatched from there.
        var isSuspect = false
        /// The hash of its fingerprint; nil until it is needed.
        var hash: Int?

        init(
            client: Client, service: Frame, body: MessageBody, arrivedAt: Duration, deadline: Duration
        ) {
            self.client = client
            self.service = service
            serviceName = service.text
            self.body = body
            byteCount = body.content.reduce(ControlFrame.size) { $0 + $1.count }
            self.arrivedAt = arrivedAt
            self.deadline = deadline
            queuedSince = arrivedAt
        }

        /// Nil for a plain body.
        var control: ControlFrame? { body.control }

        /// RFC 18 assumes idempotent workers, so a plain body may be dispatched again.
        var isIdempotent: Bool { control?.flags.contains(.idempotent) ?? true }
    }

    struct Worker: Sendable {
        let version: MajordomoVersion
        let service: Frame
        let options: WorkerOptions
        /// Its READY had our options.
        let isOurs: Bool
        /// A worker that is silent for longer is considered lost.
        let silenceLimit: Duration
        /// The attempt number of each entry in flight.
        var inFlight: [UInt64: UInt8] = [:]
        /// Those entries in flight that have ended, at their deadline for example.
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
        /// Since when it has no worker; nil while it has one.
        var workerlessSince: Duration?
        /// The moving mean of the time from dispatch to answer; nil before the first answer.
        var meanWork: Duration?

        mutating func record(work: Duration) {
            // With a weight of 1/8, a slow start has little effect after about a dozen answers.
            meanWork = meanWork.map { $0 + (work - $0) / 8 } ?? work
        }
    }

    /// A reminder for an entry, which may have ended by then.
    struct EntryTimer: Sendable, Comparable {
        let due: Duration
        let entry: UInt64

        static func < (left: EntryTimer, right: EntryTimer) -> Bool {
            (left.due, left.entry) < (right.due, right.entry)
        }
    }
}
