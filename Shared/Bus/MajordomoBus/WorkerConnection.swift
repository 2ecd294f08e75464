internal import Envelope
internal import Majordomo
internal import MessageBus
internal import PollLoop
internal import Synchronization
internal import ZeroMQ

/// The worker side of the bus: a DEALER socket driven by the worker's state machine, on the poll loop.
actor WorkerConnection: BusWorker, ServingActor {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private nonisolated let isDrainRequested = Mutex(false)
    private nonisolated let tally = HandlerCaller.Tally()
    private let endpoint: String
    private let instance: String
    private let options: SocketOptions
    private let executor: any TaskExecutor
    private let clock = BusClock()
    private var machine: WorkerStateMachine
    private var socket: Socket?
    private var sendQueue = SendQueue()
    /// The rooms of arrays that every message needs.
    private var received: [Message] = []
    private var actions: [WorkerStateMachine.Action] = []
    var lanes = HandlerLanes<WorkerStateMachine.Delivery>()
    private var isStopped = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    init(
        _ options: BusWorkerOptions, _ configuration: MajordomoConfiguration, of bus: BusConfiguration, context: Context
    ) {
        self.context = context
        alarm = Alarm(on: context.loop)
        endpoint = configuration.endpoints.requests
        instance = bus.instance
        self.options = SocketOptions.bus(configuration, of: bus, endpoint: endpoint)
        executor = options.runsOnLoop ? context.loop.tasks : globalConcurrentExecutor
        machine = WorkerStateMachine(
            service: Frame(text: options.service),
            options: WorkerOptions(
                instance: bus.instance, capacity: options.capacity,
                heartbeatInterval: configuration.timing.heartbeatInterval, isExclusive: options.isExclusive,
                process: UniqueNumber.next()),
            timing: configuration.timing, version: configuration.version.majordomo, at: .zero)
    }

    nonisolated var failures: [FailureCode: Int] { tally.failures }

    nonisolated func drain() {
        isDrainRequested.withLock { $0 = true }
        alarm.ring(by: .now)
    }

    func serve(_ handler: @escaping Handler) async throws {
        let caller = HandlerCaller(instance: instance, tally: tally, handler: handler)
        try await withTaskExecutorPreference(context.loop.tasks) { try await runSessions(caller) }
    }

    private func runSessions(_ caller: HandlerCaller) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            // Handlers continue after their connection is lost, so that a new connection registers immediately. The
            // machine delivers at most `capacity` requests at a time, which bounds the number of handlers.
            try await withThrowingDiscardingTaskGroup { handlers in
                // Also after an error: the group waits for the lanes that wait for a delivery.
                defer { lanes.end() }
                while !isStopped, !Task.isCancelled {
                    let session = try await SocketSession.open(endpoint, in: context, options: options)
                    socket = session.socket
                    async let watching: Void = session.watch { await self.handle($0, of: session.socket) }
                    repeat {
                        try receiveAll(from: session.socket)
                        lanes.start { delivery in
                            handlers.addTask(executorPreference: executor) {
                                await self.runLane(from: delivery, caller)
                            }
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

    private func receiveAll(from socket: Socket) throws {
        var messages = exchange(&received, with: [])
        try socket.assumeIsolated { try $0.receiveReady(into: &messages) }
        for message in messages { update { $0.received(message, at: $1, &$2) } }
        messages.removeAll(keepingCapacity: true)
        received = messages
        setAlarm()
    }

    // MARK: Lanes

    nonisolated var isOnLoop: Bool { context.loop.isOnLoop }

    nonisolated func answer(_ delivery: WorkerStateMachine.Delivery, _ caller: HandlerCaller) async -> [Frame]? {
        await caller.answer(
            delivery.content, control: delivery.control, role: delivery.role, deadline: clock.instant(delivery.deadline)
        )
    }

    func end(_ delivery: WorkerStateMachine.Delivery, with content: [Frame]?, _ caller: HandlerCaller) {
        if let content {
            update { $0.answered(delivery, with: content, at: $1, &$2) }
        } else {
            update { $0.returned(delivery, at: $1, &$2) }
        }
        setAlarm()
    }

    private func tick() {
        if isDrainRequested.withLock({ $0 }) { update { $0.drain(at: $1, &$2) } }
        update { $0.ticked(at: $1, &$2) }
        setAlarm()
    }

    private func handle(_ change: SocketSession.Change, of source: Socket) {
        // A late event of an abandoned socket must not affect its successor.
        guard source === socket else { return }
        switch change {
        // Reported by the client connection of this process, which uses the same broker.
        case .refused: break
        case .connected: update { $0.opened(at: $1, &$2) }
        case .disconnected: update { $0.disconnected(at: $1, &$2) }
        }
        setAlarm()
    }

    /// Changes the state machine, and performs its actions.
    private func update(
        _ body: (inout WorkerStateMachine, _ now: Duration, _ actions: inout [WorkerStateMachine.Action]) -> Void
    ) {
        var actions = exchange(&self.actions, with: [])
        body(&machine, clock.now, &actions)
        for action in actions {
            switch action {
            case .send(let message):
                if sendQueue.append(message) { context.loop.atEndOfIteration { self.assumeIsolated { $0.flush() } } }
            case .deliver(let delivery):
                lanes.append(delivery)
            case .reopen:
                flush()
                socket?.assumeIsolated { $0.close() }
            case .stopped:
                isStopped = true
                flush()
                socket?.assumeIsolated { $0.close() }
            }
        }
        actions.removeAll(keepingCapacity: true)
        self.actions = actions
    }

    private func flush() {
        sendQueue.send(over: socket)
    }

    private func setAlarm() {
        if let next = machine.nextDeadline { alarm.ring(by: clock.instant(next)) }
    }
}
