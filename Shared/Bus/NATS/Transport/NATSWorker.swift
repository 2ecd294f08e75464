internal import Envelope
internal import MessageBus
internal import PollLoop
internal import ProcessKit
internal import Synchronization

/// The worker side of the bus over NATS: a queue group driven by the instance's state machine, on the poll loop.
actor NATSWorker: BusWorker {
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
    struct Open {
        let delivery: Delivery
        /// When its handler began.
        var startedAt: ContinuousClock.Instant?
        /// The frames of its answer.
        var answer: [Frame] = []
    }

    nonisolated let loop: PollLoop
    private nonisolated let alarm: Alarm
    private nonisolated let isDrainRequested = Mutex(false)
    /// Yields for each name that is held.
    private nonisolated let holds = AsyncStream.makeStream(of: Void.self)
    nonisolated let tally = HandlerCaller.Tally()
    let connection: NATSConnection
    let options: BusWorkerOptions
    let instance: String
    /// The name of this instance, and, when it is exclusive, the service.
    private let claims: [InstanceClaim]
    private let executor: any TaskExecutor
    private let onProblem: @Sendable (Failure) -> Void
    let clock = BusClock()
    let startedAt = WallClock.system.microseconds
    private var machine: AdmissionStateMachine
    var open: [AdmissionStateMachine.Request: Open] = [:]
    var lanes = HandlerLanes<Delivery>()
    /// Of the service and of this instance, and those by which it is found.
    var requestSubscriptions: [UInt64] = []
    var microSubscriptions: [UInt64] = []
    /// How this instance is reached now.
    var place: ServiceDirectory.Place
    var placeSubscription: UInt64?
    /// When the loop has last run, and whether it reads what arrived during a longer pause.
    private var awakeAt = ContinuousClock.now
    private var isCatchingUp = false
    private var isLeaving = false
    var isStopped = false
    var isDraining = false
    private var dismissal: WorkerDismissal?
    var counts = MicroService.Answer.Counts()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ options: BusWorkerOptions, _ configuration: NATSConfiguration, _ connection: NATSConnection,
        of holder: ClaimStateMachine.Record, on loop: PollLoop, onProblem: @escaping @Sendable (Failure) -> Void
    ) {
        self.onProblem = onProblem
        self.loop = loop
        self.options = options
        self.connection = connection
        instance = holder.instance
        place = ServiceDirectory.Place(instance: holder.instance, connection: "")
        var subjects: [(String, WorkerDismissal)] = [(Subjects.claim(ofInstance: holder.instance), .doubled)]
        if options.isExclusive { subjects.append((Subjects.claim(ofService: options.service), .exclusive)) }
        claims = subjects.map { subject, dismissal in
            InstanceClaim(subject, of: holder, dismissal: dismissal, timing: configuration.claim, over: connection)
        }
        alarm = Alarm(on: loop)
        executor = options.runsOnLoop ? loop.tasks : globalConcurrentExecutor
        machine = AdmissionStateMachine(capacity: options.capacity, timing: configuration.admission)
    }

    nonisolated var failures: [FailureCode: Int] { tally.failures }

    nonisolated func drain() {
        isDrainRequested.withLock { $0 = true }
        // It ends although it has not begun: without a server it gets no names.
        holds.continuation.finish()
        alarm.ring(by: .now)
    }

    func serve(_ handler: @escaping Handler) async throws {
        let caller = HandlerCaller(instance: instance, tally: tally, handler: handler)
        try await withTaskExecutorPreference(loop.tasks) { try await serve(caller) }
        if let dismissal { throw dismissal }
    }

    private func serve(_ caller: HandlerCaller) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for claim in claims {
                group.addTask(executorPreference: loop.tasks) {
                    await self.keep(claim) { self.holds.continuation.yield() }
                    self.holds.continuation.finish()
                }
            }
            var count = 0
            for await _ in holds.stream {
                count += 1
                if count == claims.count { break }
            }
            let (denials, changes) = await (connection.denials(), connection.changes())
            group.addTask(executorPreference: loop.tasks) { for await denial in denials { await self.handle(denial) } }
            group.addTask(executorPreference: loop.tasks) {
                for await change in changes where change == .connected { await self.renewPlace() }
            }
            if count == claims.count { try await serveRequests(caller) }
            group.cancelAll()
        }
    }

    private func keep(_ claim: InstanceClaim, onHeld: @Sendable () -> Void) async {
        do throws(WorkerDismissal) {
            try await claim.hold(onHeld: onHeld, onProblem: onProblem)
        } catch {
            dismissal = error
            drain()
        }
    }

    /// A worker without its subscriptions would be silent.
    private func handle(_ denial: Denial) {
        let own = [
            Subjects.allRequests(of: options.service), Subjects.allRequests(at: instance, over: place.connection),
        ]
        guard denial.operation == .subscribe, own.contains(denial.subject) else { return }
        dismissal = .forbidden
        drain()
    }

    private func serveRequests(_ caller: HandlerCaller) async throws {
        try subscribe()
        awakeAt = .now
        setAlarm()
        await withDiscardingTaskGroup { handlers in
            defer { lanes.end() }
            while !isStopped, await alarm.wait() {
                noticeSuspension()
                if isDrainRequested.withLock({ $0 }) { isDraining = true; update { $0.drain(at: $1, &$2) } }
                update { $0.ticked(at: $1, &$2) }
                if isLeaving {
                    isLeaving = false
                    handlers.addTask(executorPreference: loop.tasks) { await self.leave() }
                }
                lanes.start { delivery in
                    handlers.addTask(executorPreference: executor) { await self.runLane(from: delivery, caller) }
                }
                setAlarm()
            }
            // Cancelled: there are no more answers.
            for id in requestSubscriptions + microSubscriptions { connection.perform { $0.unsubscribe(id) } }
        }
    }

    private func leave() async {
        for id in requestSubscriptions { await connection.leave(id) }
        update { machine, _, actions in machine.left(&actions) }
        alarm.ring(by: .now)
    }

    // MARK: Requests

    private func subscribe() throws(NATSError) {
        let group = options.service
        requestSubscriptions.append(
            try subscribe(Subjects.allRequests(of: options.service), queue: group) { $0.receive($1) })
        // Before anyone can find it.
        renewPlace()
        try subscribeMicro()
    }

    func subscribe(
        _ subject: String, queue: String? = nil,
        _ receive: @escaping @Sendable (isolated NATSWorker, NATSMessage) -> Void
    ) throws(NATSError) -> UInt64 {
        try connection.perform { connection throws(NATSError) in
            try connection.subscribe(subject, queue: queue) { [weak self] arrival in
                guard let self, case .message(let message) = arrival else { return }
                assumeIsolated { receive($0, message) }
            }
        }
    }

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

    func receive(_ message: NATSMessage) {
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

    // MARK: Actions

    /// Changes the state machine, and performs its actions.
    func update(
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
                        Frame(text: place.connection),
                    ], to: request.reply)
            case .answer(let request):
                guard let ended = open.removeValue(forKey: request) else { continue }
                answer(ended, to: request.reply)
            case .refuse(let request, let refusal):
                open[request] = nil
                refuse(request, refusal)
            case .leave:
                isLeaving = true
                alarm.ring(by: .now)
            case .stopped:
                isStopped = true
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
        counts.requests += 1
        counts.processingTime += Int64((ContinuousClock.now - startedAt) / .nanoseconds(1))
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

    func setAlarm() {
        alarm.ring(by: awakeAt + NATSTiming.wakefulness)
        if let next = machine.nextDeadline { alarm.ring(by: clock.instant(next)) }
    }
}
