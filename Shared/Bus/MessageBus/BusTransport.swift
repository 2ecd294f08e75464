package import Envelope

/// What carries the messages of a bus; `MessageBus` works in the same way over each.
///
/// A transport has its own protocol: addresses, keys and the framing of messages are known to it alone.
package protocol BusTransport: Sendable {
    /// Where the bus is, for people: a URL.
    var address: String { get }

    /// The executor on which a request needs the fewest changes of threads.
    var executor: any TaskExecutor { get }

    /// Keeps the connection until the task is cancelled.
    func run() async throws

    /// Sends the events that are still queued.
    func flush() async

    /// Sends a request and waits for its reply, the body of an envelope.
    ///
    /// - Throws: `Failure` when no worker answered; `CancellationError` when the task was cancelled.
    func request(_ call: BusCall) async throws -> (control: ControlFrame, content: ArraySlice<Frame>)

    /// Sends a request without waiting for its reply; false when too many are in progress.
    func post(_ call: BusCall) async -> Bool

    func worker(_ options: BusWorkerOptions) -> any BusWorker

    /// Queues an event; one that the stream cannot accept is dropped and counted.
    func publish(_ event: Event)

    /// The number of dropped events of this process.
    var droppedEvents: Int { get }

    /// - Parameter deadline: the time limit for fetching the past events; nil for what the transport needs at most.
    func subscribe(last: Int, deadline: ContinuousClock.Instant?) async throws -> any EventStream
    func poll(every interval: Duration) async throws -> any EventStream

    // MARK: Directory

    func ping(deadline: ContinuousClock.Instant) async throws

    func workers(deadline: ContinuousClock.Instant) async throws -> BrokerStatus

    func hasWorker(for service: String, deadline: ContinuousClock.Instant) async throws -> Bool

    /// Nil when the bus has no broker of ours.
    func brokerStats(deadline: ContinuousClock.Instant) async throws -> BrokerFigures?
}

/// A request as a transport sends it.
public struct BusCall: Sendable {
    public let id: RequestID
    public let service: String
    /// Of the request, for transports that route or admit by it; empty in a management request.
    public let kind: String
    /// The frames of the envelope.
    public let content: [Frame]
    public let isIdempotent: Bool
    public let deadline: ContinuousClock.Instant

    public init(
        id: RequestID, service: String, kind: String, content: [Frame], isIdempotent: Bool,
        deadline: ContinuousClock.Instant
    ) {
        self.id = id
        self.service = service
        self.kind = kind
        self.content = content
        self.isIdempotent = isIdempotent
        self.deadline = deadline
    }
}
