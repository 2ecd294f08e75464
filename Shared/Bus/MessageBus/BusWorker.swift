public import Envelope

/// The registration options of a worker.
public struct BusWorkerOptions: Sendable {
    public var service: String
    /// The maximum number of concurrent requests.
    public var capacity: Int
    /// Allows at most one worker of this service.
    public var isExclusive: Bool
    /// Runs handlers on the bus's own loop: two thread hops less per request, but a handler that blocks or computes
    /// there delays all messages of the process.
    public var runsOnLoop: Bool

    public init(service: String, capacity: Int, isExclusive: Bool = false, runsOnLoop: Bool = false) {
        self.service = service
        self.capacity = capacity
        self.isExclusive = isExclusive
        self.runsOnLoop = runsOnLoop
    }
}

/// A worker of one service: registers, serves requests, drains.
public protocol BusWorker: Sendable {
    /// Answers one request, or throws `RequestReturned`.
    typealias Handler = @Sendable (IncomingRequest) async throws(RequestReturned) -> Envelope

    /// Failures that the bus answered in place of the handler, by code: unreadable bodies and answers that could not be
    /// sent.
    var failures: [FailureCode: Int] { get }

    /// Accepts no more requests; `serve` returns when all requests in flight have been answered.
    func drain()

    /// Serves requests until drained or cancelled; at most `capacity` handlers run at a time.
    ///
    /// - Parameter handler: Answers one request; it is not called for an unreadable body.
    /// - Throws: `WorkerDismissal` when the worker is dismissed permanently, after its running requests ended.
    func serve(_ handler: @escaping Handler) async throws
}
