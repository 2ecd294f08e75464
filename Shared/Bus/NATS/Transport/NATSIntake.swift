internal import Envelope
internal import MessageBus
internal import PollLoop
internal import Synchronization

/// The requests of an instance: a queue group and the instance's own subject, driven by its state machine on the poll loop.
actor NATSIntake: ServingActor {
    struct Delivery: Sendable {
        let request: AdmissionStateMachine.Request
        /// In the subject, by which the server has admitted the request.
        let kind: String
        let control: ControlFrame
        let content: ArraySlice<Frame>
        let deadline: ContinuousClock.Instant
        let arrivedAt: ContinuousClock.Instant
    }

    /// A request that has not ended here.
    private struct Open {
        let delivery: Delivery
        /// When its handler began.
        var startedAt: ContinuousClock.Instant?
        /// The frames of its answer.
        var answer: [Frame] = []
    }

    private enum Phase {
        case serving
        /// Told to drain: it leaves its queue group, once, and answers what it has taken.
        case leaving(hasBegun: Bool)
        case stopped
    }

    private nonisolated let loop: PollLoop
    private nonisolated let alarm: Alarm
    private nonisolated let isDrainRequested = Mutex(false)
    private let connection: NATSConnection
    private let presence: NATSPresence
    private let options: BusWorkerOptions
    private let instance: String
    private let executor: any TaskExecutor
    private let clock = BusClock()
    private var machine: AdmissionStateMachine
    private var open: [AdmissionStateMachine.Request: Open] = [:]
    var lanes = HandlerLanes<Delivery>()
    private var groupSubscription: UInt64?
    private var phase = Phase.serving
    /// When the loop has last run, and whether it reads what arrived during a longer pause.
    private var awakeAt = ContinuousClock.now
    private var isCatchingUp = false
    private var figures = NATSPresence.Figures()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ options: BusWorkerOptions, instance: String, timing: AdmissionTiming, _ connection: NATSConnection,
        presence: NATSPresence, on loop: PollLoop
    ) {
        self.loop = loop
        self.options = options
        self.connection = connection
        self.presence = presence
        self.instance = instance
        alarm = Alarm(on: loop)
        executor = options.runsOnLoop ? loop.tasks : globalConcurrentExecutor
        machine = AdmissionStateMachine(capacity: options.capacity, timing: timing)
    }

    /// Takes no more requests; `serve` returns when all requests in flight have been answered.
    nonisolated func drain() {
        isDrainRequested.withLock { $0 = true }
        alarm.ring(by: .now)
    }

    /// Serves requests until drained or cancelled.
    func serve(_ caller: HandlerCaller) async throws {
        try subscribe(caller.tally)
        awakeAt = .now
        setAlarm()
        await withDiscardingTaskGroup { handlers in
            defer { lanes.end() }
            while !isStopped, await alarm.wait() {
                noticeSuspension()
                if isDrainRequested.withLock({ $0 }) { update { $0.drain(at: $1, &$2) } }
                update { $0.ticked(at: $1, &$2) }
                if case .leaving(hasBegun: false) = phase {
                    phase = .leaving(hasBegun: true)
                    handlers.addTask(executorPreference: loop.tasks) { await self.leave() }
                }
                lanes.start { delivery in
                    handlers.addTask(executorPreference: executor) { await self.runLane(from: delivery, caller) }
                }
                setAlarm()
            }
            // Cancelled: there are no more answers.
            if let groupSubscription { connection.perform { $0.unsubscribe(groupSubscription) } }
            await presence.end()
        }
    }

    private var isStopped: Bool {
        if case .stopped = phase { true } else { false }
    }

    private func subscribe(_ tally: HandlerCaller.Tally) throws {
        let receive: @Sendable (NATSMessage) -> Void = { [weak self] message in
            self?.assumeIsolated { $0.receive(message) }
        }
        let (subject, group) = (Subjects.allRequests(of: options.service), options.service)
        groupSubscription = try connection.perform { connection throws(NATSError) in
            try connection.subscribe(subject, queue: group) { arrival in
                if case .message(let message) = arrival { receive(message) }
            }
        }
        try presence.assumeIsolated { presence in
            try presence.begin(receive: receive) { [weak self] in
                self?.assumeIsolated { $0.currentFigures(tally) } ?? NATSPresence.Figures()
            }
        }
    }

    private func currentFigures(_ tally: HandlerCaller.Tally) -> NATSPresence.Figures {
        var figures = figures
        figures.inFlight = open.values.count { $0.startedAt != nil }
        figures.errors = tally.failures.values.reduce(0, +)
        if case .serving = phase { figures.isDraining = false } else { figures.isDraining = true }
        return figures
    }

    private func leave() async {
        if let groupSubscription { await connection.leave(groupSubscription) }
        await presence.leave()
        update { machine, _, actions in machine.left(&actions) }
        alarm.ring(by: .now)
    }

    // MARK: Requests

    /// The clients of what arrived while this process was suspended have turned to other instances: until a round trip
    /// has ended, nothing is taken.
    private func noticeSuspension() {
        let now = ContinuousClock.now
        defer { awakeAt = now }
        guard awakeAt + NATSTiming.suspension <= now, !isCatchingUp else { return }
        isCatchingUp = true
        Task(executorPreference: loop.tasks) { await self.catchUp() }
    }

    private func catchUp() async {
        while await !connection.makeRoundTrip(until: .now + .seconds(5)), !isStopped, !Task.isCancelled {
            // A connection that is just being lost fails at once. Only cancellation interrupts the sleep.
            try? await Task.sleep(for: NATSTiming.catchUpPause)
        }
        isCatchingUp = false
    }

    private func receive(_ message: NATSMessage) {
        noticeSuspension()
        guard let reply = message.inbox else { return }
        let frames = PackedFrames.unpack(message.data) ?? []
        guard case .control(let control) = ControlFrame.read(frames.first) else {
            let id = ControlFrame.id(in: frames.first) ?? RequestID(query: 0, call: 0)
            return refuse(AdmissionStateMachine.Request(id: id, reply: reply), .malformed)
        }
        let request = AdmissionStateMachine.Request(id: control.id, reply: reply)
        if control.flags.contains(.cancelled) {
            update { $0.cancelled(request, at: $1, &$2) }
            return forgetEnded(request)
        }
        guard let kind = Subjects.kind(of: message.subject) else { return }
        guard !isCatchingUp else { return refuse(request, .unavailable) }
        let left = min(Duration.milliseconds(Int64(control.remainingMilliseconds)), .seconds(3600))
        let now = ContinuousClock.now
        if open[request] == nil {
            open[request] = Open(
                delivery: Delivery(
                    request: request, kind: kind, control: control, content: frames.dropFirst(), deadline: now + left,
                    arrivedAt: now)
            )
        }
        update { $0.received(request, deadline: clock.time(now + left), at: $1, &$2) }
        setAlarm()
    }

    private func forgetEnded(_ request: AdmissionStateMachine.Request) {
        if open[request]?.startedAt == nil { open[request] = nil }
    }

    // MARK: Lanes

    nonisolated var isOnLoop: Bool { loop.isOnLoop }

    nonisolated func answer(_ delivery: Delivery, _ caller: HandlerCaller) async -> [Frame]? {
        // The server admits a kind of request only from those whose permissions have it.
        await caller.answer(
            delivery.content, control: delivery.control, kind: delivery.kind, role: 3, deadline: delivery.deadline)
    }

    func end(_ delivery: Delivery, with content: [Frame]?, _ caller: HandlerCaller) {
        if let content {
            let limit = connection.perform { $0.maxPayload }
            let size = content.reduce(ControlFrame.size + 64) { $0 + $1.count + 4 }
            let isTooLarge = limit > 0 && size > limit
            open[delivery.request]?.answer =
                isTooLarge
                ? caller.makeFailureReply(to: delivery.control, Failure.exceedsServer(size, limit: limit)) : content
            update { $0.finished(delivery.request, at: $1, &$2) }
        } else {
            update { $0.returned(delivery.request, at: $1, &$2) }
        }
        setAlarm()
    }

    // MARK: Actions

    /// Changes the state machine, and performs its actions.
    private func update(
        _ body: (inout AdmissionStateMachine, _ now: Duration, _ actions: inout [AdmissionStateMachine.Action]) -> Void
    ) {
        var actions: [AdmissionStateMachine.Action] = []
        body(&machine, clock.now, &actions)
        for action in actions {
            switch action {
            case .start(let request):
                guard let delivery = open[request]?.delivery else { continue }
                open[request]?.startedAt = .now
                lanes.append(delivery)
                alarm.ring(by: .now)
            case .sign(let request):
                publish(
                    [
                        ControlFrame(id: request.id, flags: .working).encoded(), Frame(text: instance),
                        Frame(text: presence.assumeIsolated { $0.place.connection }),
                    ], to: request.reply)
            case .answer(let request):
                guard let ended = open.removeValue(forKey: request) else { continue }
                answer(ended, to: request.reply)
            case .refuse(let request, let refusal):
                open[request] = nil
                refuse(request, refusal)
            case .leave:
                phase = .leaving(hasBegun: false)
                alarm.ring(by: .now)
            case .stopped:
                phase = .stopped
                alarm.ring(by: .now)
            }
        }
    }

    private func answer(_ ended: Open, to reply: String) {
        var control = ended.delivery.control
        control.flags = []
        let startedAt = ended.startedAt ?? .now
        let queued = (startedAt - ended.delivery.arrivedAt) / .microseconds(1)
        control.queuedMicroseconds = UInt32(clamping: Int64(queued))
        publish([control.encoded()] + ended.answer, to: reply)
        figures.requests += 1
        figures.processingTime += Int64((ContinuousClock.now - startedAt) / .nanoseconds(1))
    }

    private func refuse(_ request: AdmissionStateMachine.Request, _ refusal: Refusal) {
        let control = ControlFrame(id: request.id, flags: .refused)
        publish([control.encoded(), Frame(text: refusal.rawValue), Frame(text: instance)], to: request.reply)
    }

    /// Without a connection the client repeats its request over the next one.
    private func publish(_ frames: [Frame], to subject: String) {
        _ = try? connection.perform { connection throws(NATSError) in
            try connection.publish(PackedFrames.pack(frames), to: subject)
        }
    }

    private func setAlarm() {
        alarm.ring(by: awakeAt + NATSTiming.wakefulness)
        if let next = machine.nextDeadline { alarm.ring(by: clock.instant(next)) }
    }
}
