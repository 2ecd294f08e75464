public import Envelope
internal import Majordomo
internal import ZeroMQ

/// The one way by which processes talk: `request`, `serve` (of a worker), `publish`, `subscribe`.
///
/// Nothing above it knows the transport. Lent by `withMessageBus`.
public final class MessageBus: Sendable {
    public let instance: String
    let configuration: BusConfiguration
    let context: Context
    let client: ClientConnection
    private let publisher: EventPublisher

    /// The doors of the broker that it talks to.
    public var endpoints: BusEndpoints { configuration.endpoints }

    /// For tasks that mostly ask and wait: on the bus's own loop a request takes two thread hops less.
    public var executor: any TaskExecutor { context.loop }

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

    /// Asks a service and waits for its one answer.
    ///
    /// - Parameter deadline: absolute; the answer or a `Failure` comes by then.
    /// - Returns: the reply, which may itself have the status `failed`.
    /// - Throws: `Failure` when no worker answered; `CancellationError` when the task was cancelled.
    public func request(_ request: BusRequest, deadline: ContinuousClock.Instant) async throws -> BusReply {
        let sentAt = ContinuousClock.now
        let reply = try await end(
            of: RequestID(query: request.trace.query, call: request.call), service: request.service,
            content: try envelope(request).frames(), isIdempotent: request.isIdempotent, deadline: deadline)
        return BusReply(
            envelope: try Envelope(frames: reply.content), attempts: Int(reply.control.attempts),
            queuedMicroseconds: Int(reply.control.queuedMicroseconds), took: .now - sentAt)
    }

    /// Asks a service for what others will ask for next; nobody waits for its answer.
    ///
    /// The request outlives the caller, but not a broker that is lost before the scope of the bus ends.
    ///
    /// - Parameter deadline: when the request is worth nothing any more.
    /// - Returns: false when too many requests are under way; then nothing is sent.
    /// - Throws: `Failure` when the request is too large.
    public func post(_ request: BusRequest, deadline: ContinuousClock.Instant) async throws -> Bool {
        await client.post(
            RequestID(query: request.trace.query, call: request.call), service: request.service,
            content: try envelope(request).frames(), isIdempotent: request.isIdempotent, deadline: deadline)
    }

    private func envelope(_ request: BusRequest) -> Envelope {
        let header = Header(
            query: request.trace.queryText, parent: request.trace.parentText, kind: request.kind, sender: instance,
            traceparent: request.trace.traceparent(span: request.call))
        return Envelope(header: header, payload: request.payload, attachments: request.attachments)
    }

    /// Sends a request and waits for its reply; throws in place of every other ending.
    func end(
        of id: RequestID, service: String, content: [[UInt8]], isIdempotent: Bool, deadline: ContinuousClock.Instant
    ) async throws -> (control: ControlFrame, content: [Frame]) {
        let ending = await client.request(
            id, service: service, content: content, isIdempotent: isIdempotent, deadline: deadline)
        switch ending {
        case .reply(let control, let content): return (control, content)
        case .refused(let refusal, let attempts):
            throw Failure.refused(refusal, service: service, attempts: attempts)
        case .deadlinePassed: throw Failure.deadlinePassed(service: service)
        case .brokerLost: throw await brokerLost()
        case nil: throw CancellationError()
        }
    }

    private func brokerLost() async -> Failure {
        let endpoint = configuration.endpoints.requests
        return await client.isRefused ? .brokerRefuses(endpoint: endpoint) : .brokerLost(endpoint: endpoint)
    }

    /// A worker for a service; it registers when it serves.
    public func worker(_ options: BusWorkerOptions) -> BusWorker {
        BusWorker(options, configuration: configuration, context: context)
    }

    /// Says an event to whoever watches. Never waits: what the stream cannot take is dropped and counted.
    public func publish(_ event: Event) {
        publisher.publish(event)
    }

    /// Events of this process that were dropped.
    public var droppedEvents: Int { publisher.dropped }

    /// The stream of all events from now on, preceded by up to `last` past ones.
    ///
    /// - Parameter deadline: by when the broker has to have told the past; nil gives it five seconds.
    public func subscribe(
        last: Int = 0, deadline: ContinuousClock.Instant? = nil
    ) async throws -> EventStream {
        try await EventStream(bus: self, last: last, deadline: deadline ?? .now + BusTiming.eventPageLimit)
    }

    func run<Result: Sendable>(_ body: (MessageBus) async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Between two waits on the loop there is nothing to do elsewhere: without this preference every wait ends with a hop
            // to a thread of the pool and back.
            group.addTask(executorPreference: context.loop) { try await self.client.run() }
            group.addTask(executorPreference: context.loop) { try await self.publisher.run() }
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

/// Lends a bus and takes it down again when `body` is done.
public func withMessageBus<Result: Sendable>(
    _ configuration: BusConfiguration, _ body: (MessageBus) async throws -> Result
) async throws -> Result {
    try await withContext { context in
        try await MessageBus(configuration, context: context).run(body)
    }
}
