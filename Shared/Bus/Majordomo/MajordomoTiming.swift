/// The times and bounds of the bus; a simulation scales them.
public struct MajordomoTiming: Sendable {
    /// The silence after which our peers send a heartbeat.
    public var heartbeatInterval: Duration = .milliseconds(500)
    /// The same for a plain peer, that is one without our options in READY.
    public var plainHeartbeatInterval: Duration = .milliseconds(2500)
    /// The number of silent intervals after which a peer is considered lost.
    public var liveness = 3
    /// A tick later than this means that the broker was suspended; well below the silence limit of any worker.
    public var suspension: Duration = .milliseconds(250)
    /// How long a request waits for a first worker of its service.
    public var noWorkerGrace: Duration = .milliseconds(1500)
    /// How long a request of a plain client, which has no deadline, may take: twice the silence of a lost plain worker.
    public var plainDeadline: Duration = .seconds(15)
    /// The upper bound of a request's remaining time, independent of its client.
    public var maxRemaining: Duration = .seconds(60)
    /// The maximum number of dispatches of a request.
    public var maxAttempts: UInt8 = 3
    /// How long a worker waits for the broker's agreement to its options before it tries them once more on a new
    /// connection, and then registers as a plain one.
    public var agreementTimeout: Duration = .seconds(1)
    /// How long a client's request waits while the client is not connected to a broker.
    public var brokerGrace: Duration = .seconds(2)
    /// Bounds of one service's queue, and of one client's share of it.
    public var queueEntries = 1000
    public var queueBytes = 16 << 20
    public var clientEntries = 128
    /// Bounds of the whole ledger, over all services and clients.
    public var ledgerEntries = 50_000
    public var ledgerBytes = 128 << 20
    /// Bounds of one client's share of the ledger: invented service names must not fill it.
    public var clientLedgerEntries = 1000
    public var clientLedgerBytes = 64 << 20
    /// How long crashes count against the requests in flight, and how long a process may take to register again.
    public var suspicionPeriod: Duration = .seconds(600)
    /// Bounds of the crash records; large enough for the requests of a worker's whole capacity.
    public var crashRecords = 1024
    public var lostWorkers = 64
    /// The interval between reports of dropped messages: a flood must not displace all other events from the event
    /// ring.
    public var dropReportInterval: Duration = .milliseconds(250)
    /// How long a connection may take for its handshake and its first message.
    public var handshakeLimit: Duration = .milliseconds(2500)

    public init() {}
}

/// The times of the broker's stream of events.
public enum SubscriptionTiming {
    /// How long the broker keeps a subscriber registered after its last request.
    public static let lease: Duration = .seconds(3)
    public static let renewal: Duration = .seconds(1)
    /// The time limit for fetching one page of past events.
    public static let pageLimit: Duration = .seconds(5)
    /// How long the first question for a page waits until it is repeated.
    public static let pagePatience: Duration = .seconds(1)
    /// The pause after a page that the broker did not answer.
    public static let pagePause: Duration = .milliseconds(100)
}
