public import Envelope
internal import Majordomo
internal import ZeroMQ

/// How a worker presents itself to the broker.
public struct BusWorkerOptions: Sendable {
    public var service: String
    /// Requests worked on at a time.
    public var capacity: Int
    /// At most one worker of this service.
    public var isExclusive: Bool
    /// Handlers run on the bus's own loop: two thread hops less a request, but whatever waits or computes there holds up all
    /// messages of the process.
    public var staysOnLoop: Bool

    public init(service: String, capacity: Int, isExclusive: Bool = false, staysOnLoop: Bool = false) {
        self.service = service
        self.capacity = capacity
        self.isExclusive = isExclusive
        self.staysOnLoop = staysOnLoop
    }
}

/// A request as a service sees it.
public struct IncomingRequest: Sendable {
    public let envelope: Envelope
    public let trace: Trace
    /// When the caller stops waiting.
    public let deadline: ContinuousClock.Instant
    /// How often the broker has handed this request out, this time included.
    public let attempts: Int
    let id: RequestID?

    /// The 32 digits by which events name this call; nil for a plain client's.
    public var requestText: String? { id?.description }
}

/// A worker of one service: registers at the broker, works on requests, drains.
public final class BusWorker: Sendable {
    private let connection: WorkerConnection

    init(_ options: BusWorkerOptions, configuration: BusConfiguration, context: Context) {
        connection = WorkerConnection(options, configuration: configuration, context: context)
    }

    /// Serves requests until drained or cancelled; at most `capacity` handlers run at a time.
    ///
    /// Throws a `WorkerDismissal` when the broker sends it away for good; what it had begun has ended by then.
    ///
    /// - Parameter handler: answers one request; a body that cannot be read never reaches it.
    public func serve(
        _ handler: @escaping @Sendable (IncomingRequest) async throws(RequestWithheld) -> Envelope
    ) async throws {
        try await connection.run(handler)
    }

    /// What the bus answered in the handler's place, by code: bodies that could not be read, answers that could not be
    /// sent.
    public var failures: [FailureCode: Int] { connection.failures }

    /// Takes no more requests; `serve` returns when what is in flight has been answered.
    public func drain() {
        connection.requestDrain()
    }
}
