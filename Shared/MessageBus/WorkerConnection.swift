internal import Envelope
internal import Majordomo
internal import Synchronization
internal import ZeroMQ

/// The worker side of the bus: a DEALER socket driven by the worker's state machine, on the poll loop.
actor WorkerConnection {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private nonisolated let isDrainRequested = Mutex(false)
    private let endpoint: String
    private let instance: String
    private let options: SocketOptions
    private let executor: any TaskExecutor
    private let clock = BusClock()
    private var machine: WorkerStateMachine
    private var socket: Socket?
    private var outbox = Outbox()
    private var isStopped = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(_ options: BusWorkerOptions, configuration: BusConfiguration, context: Context) {
        self.context = context
        alarm = Alarm(in: context)
        endpoint = configuration.endpoints.requests
        instance = configuration.instance
        self.options = SocketOptions.bus(linger: configuration.linger)
        executor = options.staysOnLoop ? context.loop : globalConcurrentExecutor
        machine = WorkerStateMachine(
            service: Frame(text: options.service),
            options: WorkerOptions(
                instance: configuration.instance, capacity: options.capacity,
                heartbeatInterval: configuration.timing.heartbeatInterval, isExclusive: options.isExclusive,
                process: UniqueNumber.next()),
            timing: configuration.timing, at: .zero)
    }

    nonisolated func requestDrain() {
        isDrainRequested.withLock { $0 = true }
        alarm.ring(by: .now)
    }

    func run(_ handler: @escaping @Sendable (IncomingRequest) async -> Envelope) async throws {
        try await withTaskExecutorPreference(context.loop) { try await runSessions(handler) }
    }

    private func runSessions(_ handler: @escaping @Sendable (IncomingRequest) async -> Envelope) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            // Work outlives the connection it came by, so that a new one registers at once. The broker hands out no more
            // than the agreed capacity, which bounds these handlers.
            try await withThrowingDiscardingTaskGroup { handlers in
                while !isStopped, !Task.isCancelled {
                    let session = try await SocketSession.open(endpoint, in: context, options: options)
                    socket = session.socket
                    async let watching: Void = session.watch { await self.changed($0, of: session.socket) }
                    repeat {
                        for delivery in try drain(session.socket) {
                            handlers.addTask(executorPreference: executor) { await self.work(on: delivery, handler) }
                        }
                    } while await session.socket.waitUntilReadable()
                    await session.close()
                    try await watching
                }
            }
            group.cancelAll()
        }
        if let reason = machine.dismissal.flatMap({ BusWorkerDismissal(rawValue: $0.rawValue) }) { throw reason }
    }

    private func drain(_ socket: Socket) throws -> [WorkerStateMachine.Delivery] {
        var deliveries: [WorkerStateMachine.Delivery] = []
        while let message = try socket.assumeIsolated({ try $0.receiveIfReady() }) {
            deliveries += apply(machine.received(message, at: clock.now))
        }
        setAlarm()
        return deliveries
    }

    private nonisolated func work(
        on delivery: WorkerStateMachine.Delivery, _ handler: @Sendable (IncomingRequest) async -> Envelope
    ) async {
        let content = await answer(delivery, handler)
        // What a cancelled handler returned is no answer: the broker hands the request to another worker.
        if Task.isCancelled { return }
        await answered(delivery, with: content)
    }

    @concurrent
    private nonisolated func answer(
        _ delivery: WorkerStateMachine.Delivery, _ handler: @Sendable (IncomingRequest) async -> Envelope
    ) async -> [Frame] {
        do {
            let envelope = try Envelope(frames: delivery.content)
            guard let query = UInt64(envelope.header.query, radix: 16) else {
                throw Failure.malformedEnvelope("the query id is not hexadecimal")
            }
            let request = IncomingRequest(
                envelope: envelope, trace: Trace(query: query, parent: delivery.control?.id.call),
                deadline: clock.instant(delivery.deadline), attempts: Int(delivery.control?.attempts ?? 1),
                requestText: delivery.control?.id.description)
            return try await handler(request).frames()
        } catch {
            return failed(delivery, error)
        }
    }

    /// A body that cannot be read, or an answer that cannot be sent, is answered in the one failure shape.
    private nonisolated func failed(_ delivery: WorkerStateMachine.Delivery, _ error: any Error) -> [Frame] {
        let failure =
            error as? Failure
            ?? Failure(
                .internal, LocalizedText(ko: "내부 오류: \(error)", en: "Internal error: \(error)"), isRetryable: false)
        let trace = Trace(query: delivery.control?.id.query ?? 0)
        let header = Header(
            query: trace.queryText, kind: "failure", sender: instance, traceparent: trace.traceparent(span: 0),
            status: .failed, failure: failure)
        // A header of our own making always encodes; an empty reply would only ever mean that it did not.
        return (try? Envelope(header: header).frames()) ?? []
    }

    private func answered(_ delivery: WorkerStateMachine.Delivery, with content: [Frame]) {
        _ = apply(machine.answered(delivery, with: content, at: clock.now))
        setAlarm()
    }

    private func tick() {
        if isDrainRequested.withLock({ $0 }) { _ = apply(machine.drain(at: clock.now)) }
        _ = apply(machine.ticked(at: clock.now))
        setAlarm()
    }

    private func changed(_ change: SocketSession.Change, of source: Socket) {
        // A late event of a socket that was given up must not touch its successor.
        guard source === socket else { return }
        switch change {
        case .connected: _ = apply(machine.opened(at: clock.now))
        case .disconnected: _ = apply(machine.disconnected(at: clock.now))
        }
        setAlarm()
    }

    /// Carries out all actions but the deliveries, which it returns.
    private func apply(_ actions: [WorkerStateMachine.Action]) -> [WorkerStateMachine.Delivery] {
        var deliveries: [WorkerStateMachine.Delivery] = []
        for action in actions {
            switch action {
            case .send(let frames):
                if outbox.append(frames) { context.loop.atEndOfTurn { self.assumeIsolated { $0.flush() } } }
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
        return deliveries
    }

    private func flush() {
        outbox.send(over: socket)
    }

    private func setAlarm() {
        if let next = machine.nextDeadline { alarm.ring(by: clock.instant(next)) }
    }
}
