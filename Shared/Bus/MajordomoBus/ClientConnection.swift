internal import Majordomo
internal import MessageBus
internal import PollLoop
internal import ZeroMQ

/// The client side of the bus: a DEALER socket driven by the client's state machine, on the poll loop.
actor ClientConnection: RequestingActor {
    typealias Ending = ClientStateMachine.Ending

    static let overload = Ending.refused(.overloaded, attempts: 0)

    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    nonisolated let cancelledRequests = CancelledRequests()
    private let endpoint: String
    private let options: SocketOptions
    private let onChange: @Sendable (_ isRefused: Bool) -> Void
    private let clock = BusClock()
    private var machine: ClientStateMachine
    private var socket: Socket?
    /// Whether the handshake of the last connection attempt failed: a broker is reachable, but the keys do not match.
    private(set) var isRefused = false {
        didSet { if isRefused != oldValue { onChange(isRefused) } }
    }
    private var sendQueue = SendQueue()
    /// The rooms of arrays that every message needs.
    private var received: [Message] = []
    private var actions: [ClientStateMachine.Action] = []
    /// The service of the last request, as a frame.
    private var lastService: (name: String, frame: Frame) = ("", [])
    private var callers: [RequestID: Caller] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    /// - Parameter onChange: Called when the broker begins to refuse this process, and when it admits it after that.
    init(
        _ configuration: MajordomoConfiguration, of bus: BusConfiguration, context: Context,
        onChange: @escaping @Sendable (_ isRefused: Bool) -> Void = { _ in }
    ) {
        self.context = context
        alarm = Alarm(on: context.loop)
        endpoint = configuration.endpoints.requests
        machine = ClientStateMachine(
            timing: configuration.timing, version: configuration.version.majordomo, at: .zero)
        options = SocketOptions.bus(configuration, of: bus, endpoint: endpoint)
        self.onChange = onChange
    }

    /// Keeps the connection until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            while !Task.isCancelled { try await runSession() }
        }
        for (_, caller) in callers { caller.resume(returning: nil) }
        callers = [:]
    }

    private func runSession() async throws {
        let session = try await SocketSession.open(endpoint, in: context, options: options)
        socket = session.socket
        async let watching: Void = session.watch { await self.handle($0, of: session.socket) }
        repeat { try receiveAll(from: session.socket) } while await session.socket.waitUntilReadable()
        // Requests of this iteration are sent before the socket closes.
        flush()
        await session.close()
        try await watching
    }

    private func receiveAll(from socket: Socket) throws {
        var messages = exchange(&received, with: [])
        try socket.assumeIsolated { try $0.receiveReady(into: &messages) }
        for message in messages { update { $0.received(message, at: $1, &$2) } }
        messages.removeAll(keepingCapacity: true)
        received = messages
        setAlarm()
    }

    nonisolated var isOnLoop: Bool { context.loop.isOnLoop }

    nonisolated func wake() { alarm.ring(by: .now) }

    var openRequests: Int { machine.openRequests }

    func open(_ call: BusCall, for caller: Caller?) {
        callers[call.id] = caller
        if lastService.name != call.service { lastService = (call.service, Frame(text: call.service)) }
        let (frame, deadline) = (lastService.frame, clock.time(call.deadline))
        update {
            $0.requested(
                call.id, service: frame, content: call.content, isIdempotent: call.isIdempotent, deadline: deadline,
                at: $1, &$2)
        }
        setAlarm()
    }

    private func tick() {
        for id in cancelledRequests.take() {
            guard let caller = callers.removeValue(forKey: id) else { continue }
            update { $0.cancelled(id, at: $1, &$2) }
            caller.resume(returning: nil)
        }
        update { $0.ticked(at: $1, &$2) }
        setAlarm()
    }

    private func handle(_ change: SocketSession.Change, of source: Socket) {
        // A late event of an abandoned socket must not affect its successor.
        guard source === socket else { return }
        switch change {
        case .refused: isRefused = endpoint.hasPrefix("tcp://")
        case .connected:
            isRefused = false
            update { $0.connected(at: $1, &$2) }
        case .disconnected: update { $0.disconnected(at: $1, &$2) }
        }
        setAlarm()
    }

    /// Changes the state machine, and performs its actions.
    private func update(
        _ body: (inout ClientStateMachine, _ now: Duration, _ actions: inout [ClientStateMachine.Action]) -> Void
    ) {
        var actions = exchange(&self.actions, with: [])
        body(&machine, clock.now, &actions)
        for action in actions {
            switch action {
            case .send(let message):
                if sendQueue.append(message) { context.loop.atEndOfIteration { self.assumeIsolated { $0.flush() } } }
            case .end(let id, let ending):
                callers.removeValue(forKey: id)?.resume(returning: ending)
            case .reopen:
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
