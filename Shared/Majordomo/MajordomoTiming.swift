/// The times and bounds of the bus, in one place; a simulation scales them.
public struct MajordomoTiming: Sendable {
    /// Silence after which our peers send a heartbeat.
    public var heartbeatInterval: Duration = .milliseconds(500)
    /// The same for a plain peer, that is one without our options in READY.
    public var plainHeartbeatInterval: Duration = .milliseconds(2500)
    /// Intervals of silence after which a peer is taken for dead.
    public var liveness = 3
    /// A tick that is later than this tells that the broker's loop did not run; well below any worker's silence limit.
    public var suspension: Duration = .milliseconds(250)
    /// How long a request waits for a first worker of its service.
    public var noWorkerGrace: Duration = .milliseconds(1500)
    /// How long a request of a plain client, which has no deadline, may take.
    public var plainDeadline: Duration = .seconds(10)
    /// What is left of a request's time at most, whatever its client says.
    public var maxRemaining: Duration = .seconds(60)
    /// How often a request is handed out at most.
    public var maxAttempts: UInt8 = 3
    /// How long a worker waits for the broker's agreement to its options before it tries them once more on a new
    /// connection, and then registers as a plain one.
    public var agreementTimeout: Duration = .seconds(1)
    /// How long a client's request waits for a broker that is not there.
    public var brokerGrace: Duration = .seconds(2)
    /// Bounds of one service's queue, and of one client's share of it.
    public var queueEntries = 1000
    public var queueBytes = 16 << 20
    public var clientEntries = 128
    /// Bounds of all that the broker holds, whatever the names of the services and however many the clients.
    public var ledgerEntries = 50_000
    public var ledgerBytes = 128 << 20
    /// Bounds of one client's share of that, over all services: its own names of services must not fill the ledger.
    public var clientLedgerEntries = 1000
    public var clientLedgerBytes = 64 << 20
    /// How long crashes count against what was in flight, and how long a process may take to come back.
    public var suspicionPeriod: Duration = .seconds(600)
    /// Bounds of what is remembered for that: the requests of a worker's whole capacity fit in.
    public var crashRecords = 1024
    public var lostWorkers = 64
    /// Between two sums of dropped messages: a flood of bad ones must not wash everything else out of the event ring.
    public var dropReportInterval: Duration = .milliseconds(250)
    /// How long a connection may take for its handshake and its first message.
    public var handshakeLimit: Duration = .milliseconds(2500)

    public init() {}
}
