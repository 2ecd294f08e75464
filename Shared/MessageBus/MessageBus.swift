public import Envelope
internal import Majordomo
internal import ZeroMQ

/// The communication between processes: `request`, `serve` (of a worker), `publish`, `subscribe`.
///
/// Code above it does not depend on the transport. `withMessageBus` provides an instance.
public final class MessageBus: Sendable {
    public let instance: String
    let configuration: BusConfiguration
    let context: Context
    let client: ClientConnection
    private let publisher: EventPublisher

    /// The endpoints of the broker.
    public var endpoints: BusEndpoints { configuration.endpoints }

    /// For tasks that mostly send requests and wait: on the bus's own loop a request takes two thread hops less.
    public var executor: any TaskExecutor { context.loop.tasks }

    init(_ configuration: BusConfiguration, context: Context) {
        self.configuration = configuration
        self.context = context
        instance = configuration.instance
        let publisher = EventPublisher(configuration, context: context)
        self.publisher = publisher
        client = ClientConnection(configuration, context: context) { isRefused in
            if isRefused { configuration.onRefused(configuration.endpoints.requests) } else { publisher.reconnect() }
        }
    }

    /// Sends a request to a service and waits for its answer.
    ///
    /// - Parameter deadline: An absolute time; the answer or a `Failure` arrives before it.
    /// - Returns: The reply, which may itself have the status `failed`.
    /// - Throws: `Failure` when no worker answered; `CancellationError` when the task was cancelled.
    public func request(_ request: BusRequest, deadline: ContinuousClock.Instant) async throws -> BusReply {
        let sentAt = ContinuousClock.now
        let reply = try await sendRequest(
            RequestID(query: request.trace.query, call: request.call), service: request.service,
            content: try envelope(request).frames(), isIdempotent: request.isIdempotent, deadline: deadline)
        return BusReply(
            envelope: try Envelope(frames: reply.content), attempts: Int(reply.control.attempts),
            queuedMicroseconds: Int(reply.control.queuedMicroseconds), took: .now - sentAt)
    }

    /// Sends a request in advance of expected requests, without waiting for its answer.
    ///
    /// The request continues after the caller ends, but is lost with a broker that is lost before the scope of the bus
    /// ends.
    ///
    /// - Parameter deadline: The time after which the request is useless.
    /// - Returns: False when too many requests are in progress; then nothing is sent.
    /// - Throws: `Failure` when the request is too large.
    public func post(_ request: BusRequest, deadline: ContinuousClock.Instant) async throws -> Bool {
        await client.post(
            RequestID(query: request.trace.query, call: request.call), service: request.service,
            content: try envelope(request).frames(), isIdempotent: request.isIdempotent, deadline: deadline)
    }

    private func envelope(_ request: BusRequest) -> Envelope {
        let header = Header(
            query: HexadecimalID(rawValue: request.trace.query),
            parent: request.trace.parent.map(HexadecimalID.init), kind: request.kind, sender: instance,
            traceparent: TraceParent(query: request.trace.query, call: request.call),
            requestClass: request.trace.requestClass == .interactive ? nil : request.trace.requestClass)
        return Envelope(header: header, payload: request.payload, attachments: request.attachments)
    }

    /// Sends a request and waits for its reply; throws for every other ending.
    func sendRequest(
        _ id: RequestID, service: String, content: [[UInt8]], isIdempotent: Bool, deadline: ContinuousClock.Instant
    ) async throws -> (control: ControlFrame, content: ArraySlice<Frame>) {
        let ending = await client.request(
            id, service: service, content: content, isIdempotent: isIdempotent, deadline: deadline)
        switch ending {
        case .reply(let control, let content): return (control, content)
        case .refused(let refusal, let attempts):
            throw Failure.refused(refusal, service: service, attempts: attempts)
        case .deadlinePassed: throw Failure.deadlinePassed(service: service)
        case .brokerLost: throw await brokerFailure()
        case nil: throw CancellationError()
        }
    }

    private func brokerFailure() async -> Failure {
        let endpoint = configuration.endpoints.requests
        return await client.isRefused ? .brokerRefuses(endpoint: endpoint) : .brokerLost(endpoint: endpoint)
    }

    /// A worker for a service; `serve` registers it.
    public func worker(_ options: BusWorkerOptions) -> BusWorker {
        BusWorker(options, configuration: configuration, context: context)
    }

    /// Publishes an event to the subscribers without waiting: an event that the stream cannot accept is dropped and
    /// counted.
    public func publish(_ event: Event) {
        publisher.publish(event)
    }

    /// The number of dropped events of this process.
    public var droppedEvents: Int { publisher.dropped }

    /// Opens the stream of all events from now on, preceded by up to `last` past events.
    ///
    /// - Parameter deadline: The time limit for fetching the past events; nil means five seconds.
    public func subscribe(
        last: Int = 0, deadline: ContinuousClock.Instant? = nil
    ) async throws -> EventStream {
        try await EventStream(bus: self, last: last, deadline: deadline ?? .now + BusTiming.eventPageLimit)
    }

    func run<Result: Sendable>(_ body: (MessageBus) async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // These tasks run only on the loop: without this preference every wait ends with a hop to a thread of the
            // pool and back.
            group.addTask(executorPreference: context.loop.tasks) { try await self.client.run() }
            group.addTask(executorPreference: context.loop.tasks) { try await self.publisher.run() }
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(self))
            } catch {
                result = .failure(error)
            }
            await publisher.flush()
            group.cancelAll()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

/// Runs `body` with a bus, and closes the bus when `body` ends.
public func withMessageBus<Result: Sendable>(
    _ configuration: BusConfiguration, _ body: (MessageBus) async throws -> Result
) async throws -> Result {
    try await withContext { context in
        try await MessageBus(configuration, context: context).run(body)
    }
}
