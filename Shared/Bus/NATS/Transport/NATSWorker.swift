internal import Envelope
internal import MessageBus
internal import PollLoop

/// The worker side of the bus over NATS: it holds its names, and while it does, it takes requests.
actor NATSWorker: BusWorker {
    private nonisolated let loop: PollLoop
    /// Yields for each name that is held.
    private nonisolated let holds = AsyncStream.makeStream(of: Void.self)
    private nonisolated let tally = HandlerCaller.Tally()
    private nonisolated let intake: NATSIntake
    private let connection: NATSConnection
    private let presence: NATSPresence
    private let service: String
    private let instance: String
    /// The name of this instance, and, when it is exclusive, the service.
    private let claims: [InstanceClaim]
    private let onProblem: @Sendable (Failure) -> Void
    private var dismissal: WorkerDismissal?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ options: BusWorkerOptions, _ configuration: NATSConfiguration, _ connection: NATSConnection,
        of holder: ClaimStateMachine.Record, on loop: PollLoop, onProblem: @escaping @Sendable (Failure) -> Void
    ) {
        self.onProblem = onProblem
        self.loop = loop
        self.connection = connection
        (service, instance) = (options.service, holder.instance)
        presence = NATSPresence(options, instance: holder.instance, connection, on: loop)
        intake = NATSIntake(
            options, instance: holder.instance, timing: configuration.admission, connection, presence: presence,
            on: loop)
        var subjects: [(String, WorkerDismissal)] = [(Subjects.claim(ofInstance: holder.instance), .doubled)]
        if options.isExclusive { subjects.append((Subjects.claim(ofService: options.service), .exclusive)) }
        claims = subjects.map { subject, dismissal in
            InstanceClaim(subject, of: holder, dismissal: dismissal, timing: configuration.claim, over: connection)
        }
    }

    nonisolated var failures: [FailureCode: Int] { tally.failures }

    nonisolated func drain() {
        // It ends although it has not begun: without a server it gets no names.
        holds.continuation.finish()
        intake.drain()
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
                for await change in changes where change == .connected { await self.presence.renewPlace() }
            }
            if count == claims.count { try await intake.serve(caller) }
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
            Subjects.allRequests(of: service),
            Subjects.allRequests(at: instance, over: presence.assumeIsolated { $0.place.connection }),
        ]
        guard denial.operation == .subscribe, own.contains(denial.subject) else { return }
        dismissal = .forbidden
        drain()
    }
}
