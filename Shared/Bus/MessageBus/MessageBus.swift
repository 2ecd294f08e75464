public import Envelope

/// The communication between processes: `request`, `serve` (of a worker), `publish`, `subscribe`.
///
/// Code above it does not depend on the transport. `withMessageBus` provides an instance.
public final class MessageBus: Sendable {
    public let instance: String
    package let transport: any BusTransport

    /// Where the bus is: a URL.
    public var address: String { transport.address }

    /// For tasks that mostly send requests and wait: on the bus's own loop a request takes two thread hops less.
    public var executor: any TaskExecutor { transport.executor }

    init(_ transport: any BusTransport, instance: String) {
        self.transport = transport
        self.instance = instance
    }

    /// Sends a request to a service and waits for its answer.
    ///
    /// - Parameter deadline: An absolute time; the answer or a `Failure` arrives before it.
    /// - Returns: The reply, which may itself have the status `failed`.
    /// - Throws: `Failure` when no worker answered; `CancellationError` when the task was cancelled.
    public func request(_ request: BusRequest, deadline: ContinuousClock.Instant) async throws -> BusReply {
        let sentAt = ContinuousClock.now
        let reply = try await transport.request(try call(request, deadline: deadline))
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
        await transport.post(try call(request, deadline: deadline))
    }

    private func call(_ request: BusRequest, deadline: ContinuousClock.Instant) throws -> BusCall {
        BusCall(
            id: RequestID(query: request.trace.query, call: request.call), service: request.service,
            kind: request.kind, content: try envelope(request).frames(), isIdempotent: request.isIdempotent,
            deadline: deadline)
    }

    private func envelope(_ request: BusRequest) -> Envelope {
        let header = Header(
            query: HexadecimalID(rawValue: request.trace.query),
            parent: request.trace.parent.map(HexadecimalID.init), kind: request.kind, sender: instance,
            traceparent: TraceParent(query: request.trace.query, call: request.call),
            requestClass: request.trace.requestClass == .interactive ? nil : request.trace.requestClass)
        return Envelope(header: header, payload: request.payload, attachments: request.attachments)
    }

    /// A worker for a service; `serve` registers it.
    public func worker(_ options: BusWorkerOptions) -> any BusWorker {
        transport.worker(options)
    }

    /// Publishes an event to the subscribers without waiting: an event that the stream cannot accept is dropped and
    /// counted.
    public func publish(_ event: Event) {
        transport.publish(event)
    }

    /// The number of dropped events of this process.
    public var droppedEvents: Int { transport.droppedEvents }

    /// Opens the stream of all events from now on, preceded by up to `last` past events.
    ///
    /// - Parameter deadline: The time limit for fetching the past events; nil for what the transport needs at most.
    public func subscribe(
        last: Int = 0, deadline: ContinuousClock.Instant? = nil
    ) async throws -> any EventStream {
        try await transport.subscribe(last: last, deadline: deadline)
    }

    /// Opens the stream of all events from now on for a reader that is not in a hurry: it is read at most once an interval,
    /// if the transport can, and costs nobody anything in between.
    public func poll(every interval: Duration) async throws -> any EventStream {
        try await transport.poll(every: interval)
    }

    // MARK: Directory

    /// Returns when the broker has answered.
    public func ping(deadline: ContinuousClock.Instant) async throws {
        try await transport.ping(deadline: deadline)
    }

    /// Fetches the registered workers and the broker's own counters.
    public func workers(deadline: ContinuousClock.Instant) async throws -> BrokerStatus {
        try await transport.workers(deadline: deadline)
    }

    /// Asks whether the service has a worker.
    public func hasWorker(for service: String, deadline: ContinuousClock.Instant) async throws -> Bool {
        try await transport.hasWorker(for: service, deadline: deadline)
    }

    /// Fetches the broker's counters; nil when the bus has no broker of ours.
    public func brokerStats(deadline: ContinuousClock.Instant) async throws -> BrokerFigures? {
        try await transport.brokerStats(deadline: deadline)
    }

    // MARK: Lifetime

    func run<Result: Sendable>(_ body: (MessageBus) async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: transport.executor) { try await self.transport.run() }
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(self))
            } catch {
                result = .failure(error)
            }
            await transport.flush()
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
    try await configuration.transport.withTransport(of: configuration) { transport in
        try await MessageBus(transport, instance: configuration.instance).run(body)
    }
}
