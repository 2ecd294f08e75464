public import Envelope
internal import Localization
internal import Majordomo
internal import Synchronization
internal import ZeroMQ

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

/// A worker of one service: registers with the broker, serves requests, drains.
///
/// A DEALER socket driven by the worker's state machine, on the poll loop.
public actor BusWorker {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private nonisolated let isDrainRequested = Mutex(false)
    private nonisolated let failureCounts = Mutex<[FailureCode: Int]>([:])
    private let endpoint: String
    private let instance: String
    private let options: SocketOptions
    private let executor: any TaskExecutor
    private let clock = BusClock()
    private var machine: WorkerStateMachine
    private var socket: Socket?
    private var sendQueue = SendQueue()
    private var isStopped = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(_ options: BusWorkerOptions, configuration: BusConfiguration, context: Context) {
        self.context = context
        alarm = Alarm(in: context)
        endpoint = configuration.endpoints.requests
        instance = configuration.instance
        self.options = SocketOptions.bus(configuration, endpoint: endpoint)
        executor = options.runsOnLoop ? context.loop : globalConcurrentExecutor
        machine = WorkerStateMachine(
            service: Frame(text: options.service),
            options: WorkerOptions(
                instance: configuration.instance, capacity: options.capacity,
                heartbeatInterval: configuration.timing.heartbeatInterval, isExclusive: options.isExclusive,
                process: UniqueNumber.next()),
            timing: configuration.timing, version: configuration.protocolVersion.majordomo, at: .zero)
    }

    /// Failures that the bus answered in place of the handler, by code: unreadable bodies and answers that could not be
    /// sent.
    public nonisolated var failures: [FailureCode: Int] { failureCounts.withLock { $0 } }

    /// Accepts no more requests; `serve` returns when all requests in flight have been answered.
    public nonisolated func drain() {
        isDrainRequested.withLock { $0 = true }
        alarm.ring(by: .now)
    }

    /// Answers one request, or throws `RequestReturned`.
    public typealias Handler = @Sendable (IncomingRequest) async throws(RequestReturned) -> Envelope

    /// Serves requests until drained or cancelled; at most `capacity` handlers run at a time.
    ///
    /// - Parameter handler: Answers one request; it is not called for an unreadable body.
    /// - Throws: `WorkerDismissal` when the broker dismisses the worker permanently, after its running requests ended.
    public func serve(_ handler: @escaping Handler) async throws {
        try await withTaskExecutorPreference(context.loop) { try await runSessions(handler) }
    }

    private func runSessions(_ handler: @escaping Handler) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            // Handlers continue after their connection is lost, so that a new connection registers immediately. The
            // machine delivers at most `capacity` requests at a time, which bounds the number of handlers.
            try await withThrowingDiscardingTaskGroup { handlers in
                while !isStopped, !Task.isCancelled {
                    let session = try await SocketSession.open(endpoint, in: context, options: options)
                    socket = session.socket
                    async let watching: Void = session.watch { await self.handle($0, of: session.socket) }
                    repeat {
                        for delivery in try receiveDeliveries(from: session.socket) {
                            handlers.addTask(executorPreference: executor) { await self.work(on: delivery, handler) }
                        }
                    } while await session.socket.waitUntilReadable()
                    await session.close()
                    try await watching
                }
            }
            group.cancelAll()
        }
        if let dismissal = machine.dismissal { throw dismissal }
    }

    private func receiveDeliveries(from socket: Socket) throws -> [WorkerStateMachine.Delivery] {
        var deliveries: [WorkerStateMachine.Delivery] = []
        for message in try socket.assumeIsolated({ try $0.receiveReady() }) {
            apply(machine.received(message, at: clock.now), &deliveries)
        }
        setAlarm()
        return deliveries
    }

    private nonisolated func work(on delivery: WorkerStateMachine.Delivery, _ handler: Handler) async {
        // A delivery that exceeded the capacity on arrival starts when another one has ended.
        var waiting = [delivery]
        while let next = waiting.popLast() {
            let content = await answer(next, handler)
            // The result of a cancelled handler is not sent: the broker redelivers the request to another worker.
            if Task.isCancelled { return }
            waiting += await complete(next, with: content)
        }
    }

    /// - Returns: The reply; nil for a request that is returned undelivered.
    @concurrent
    private nonisolated func answer(
        _ delivery: WorkerStateMachine.Delivery, _ handler: Handler
    ) async -> [Frame]? {
        do {
            let envelope = try Envelope(frames: delivery.content)
            guard let query = UInt64(envelope.header.query, radix: 16) else {
                throw Failure.malformedEnvelope("the query id is not hexadecimal")
            }
            let request = IncomingRequest(
                envelope: envelope,
                trace: Trace(
                    query: query, parent: delivery.control?.id.call,
                    requestClass: envelope.header.requestClass ?? .interactive),
                deadline: clock.instant(delivery.deadline), attempts: Int(delivery.control?.attempts ?? 1),
                id: delivery.control?.id)
            return try await handler(request).frames()
        } catch is RequestReturned {
            return nil
        } catch {
            return makeFailureReply(to: delivery, error)
        }
    }

    /// The reply for an unreadable body or for an answer that cannot be sent; counts the failure.
    private nonisolated func makeFailureReply(
        to delivery: WorkerStateMachine.Delivery, _ error: any Error
    ) -> [Frame] {
        let failure =
            error as? Failure
            ?? Failure(
                .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"), isRetryable: false)
        failureCounts.withLock { $0[failure.code, default: 0] += 1 }
        let trace = Trace(query: delivery.control?.id.query ?? 0)
        let header = Header(
            query: trace.queryText, kind: "failure", sender: instance, traceparent: trace.traceparent(span: 0),
            status: .failed, failure: failure)
        // A header that is built here always encodes; the empty reply is a fallback that does not occur.
        return (try? Envelope(header: header).frames()) ?? []
    }

    private func complete(
        _ delivery: WorkerStateMachine.Delivery, with content: [Frame]?
    ) -> [WorkerStateMachine.Delivery] {
        var deliveries: [WorkerStateMachine.Delivery] = []
        if let content {
            apply(machine.answered(delivery, with: content, at: clock.now), &deliveries)
        } else {
            apply(machine.returned(delivery, at: clock.now), &deliveries)
        }
        setAlarm()
        return deliveries
    }

    private func tick() {
        if isDrainRequested.withLock({ $0 }) { apply(machine.drain(at: clock.now)) }
        apply(machine.ticked(at: clock.now))
        setAlarm()
    }

    private func handle(_ change: SocketSession.Change, of source: Socket) {
        // A late event of an abandoned socket must not affect its successor.
        guard source === socket else { return }
        switch change {
        // Reported by the client connection of this process, which uses the same broker.
        case .refused: break
        case .connected: apply(machine.opened(at: clock.now))
        case .disconnected: apply(machine.disconnected(at: clock.now))
        }
        setAlarm()
    }

    /// Performs actions that contain no delivery; only received messages and sent answers cause deliveries.
    private func apply(_ actions: [WorkerStateMachine.Action]) {
        var deliveries: [WorkerStateMachine.Delivery] = []
        apply(actions, &deliveries)
    }

    private func apply(
        _ actions: [WorkerStateMachine.Action], _ deliveries: inout [WorkerStateMachine.Delivery]
    ) {
        for action in actions {
            switch action {
            case .send(let frames):
                if sendQueue.append(frames) { context.loop.atEndOfIteration { self.assumeIsolated { $0.flush() } } }
            case .deliver(let delivery):
                deliveries.append(delivery)
            case .reopen:
                flush()
                socket?.assumeIsolated { $0.close() }
            case .stopped:
                isStopped = true
                flush()
                socket?.assumeIsolated { $0.close() }
            }
        }
    }

    private func flush() {
        sendQueue.send(over: socket)
    }

    private func setAlarm() {
        if let next = machine.nextDeadline { alarm.ring(by: clock.instant(next)) }
    }
}
