internal import Envelope
internal import NATS
internal import NATSDispatch
internal import PollLoop

/// Publishes this process's events into the stream, at most one batch per millisecond, without waiting.
actor NATSEventPublisher {
    private nonisolated let loop: PollLoop
    private nonisolated let alarm: Alarm
    private nonisolated let queue: EventQueue
    private let connection: NATSConnection
    private var isOpen = false
    private var opening: Task<Void, Never>?
    /// When the stream was found last; servers may lose it while this process stays connected.
    private var foundAt = ContinuousClock.now
    /// Waits for the stream at the end.
    private var waiter: AsyncStream<Never>.Continuation?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ connection: NATSConnection, on loop: PollLoop) {
        self.connection = connection
        self.loop = loop
        alarm = Alarm(on: loop)
        queue = EventQueue(alarm)
    }

    /// The number of dropped events.
    nonisolated var dropped: Int { queue.dropped }

    nonisolated func publish(_ event: Event) {
        queue.append(event)
    }

    /// Sends events while the stream exists, until the task is cancelled.
    func run() async {
        let denials = await connection.denials()
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop.tasks) {
                for await denial in denials where denial.operation == .publish && Subjects.isEvent(denial.subject) {
                    self.queue.countDropped(1)
                }
            }
            group.addTask(executorPreference: loop.tasks) { while await self.alarm.wait() { await self.flush() } }
            for await change in await connection.changes() {
                isOpen = false
                opening?.cancel()
                if change == .connected { opening = Task(executorPreference: loop.tasks) { await self.open() } }
            }
            opening?.cancel()
            group.cancelAll()
        }
    }

    /// Finds or makes the stream: what is published before it exists is in no stream.
    private func open() async {
        while !Task.isCancelled {
            if (try? await EventLog(connection).open(until: .now + NATSTiming.publisherOpeningLimit)) != nil {
                (isOpen, foundAt) = (true, .now)
                waiter?.finish()
                return flush()
            }
            // Servers that have just started have no leader yet. Only cancellation interrupts the sleep.
            try? await Task.sleep(for: NATSTiming.publisherOpeningPause)
        }
    }

    /// Sends the queued events at the end; waits for the stream as long as that.
    func finish(within limit: Duration) async {
        if !isOpen, !queue.isEmpty {
            let (opened, waiter) = AsyncStream.makeStream(of: Never.self)
            self.waiter = waiter
            let end = Task(executorPreference: loop.tasks) {
                try await Task.sleep(for: limit)
                waiter.finish()
            }
            // Cancellation ends it, too.
            for await _ in opened {}
            end.cancel()
        }
        flush()
        if !isOpen { queue.countDropped(queue.takeAll().count) }
    }

    /// Makes the stream again if it has been lost; events go on meanwhile.
    private func check() {
        foundAt = .now
        Task(executorPreference: loop.tasks) {
            try await EventLog(self.connection).open(until: .now + NATSTiming.publisherOpeningLimit)
        }
    }

    /// Sends the queued events; without a connection they wait for the next one.
    private func flush() {
        guard isOpen else { return }
        if foundAt + NATSTiming.publisherCheckInterval <= .now { check() }
        for event in queue.takeAll() {
            let json = event.json()
            let isSent: Void? = try? connection.perform { connection throws(NATSError) in
                // The stream refuses larger ones, and does not report that.
                guard json.count <= EventLog.maxEventBytes else {
                    throw NATSError(code: .tooLarge, operation: "publish an event")
                }
                try connection.publish(json, to: Subjects.event(from: event.source))
            }
            if isSent == nil { queue.countDropped(1) }
        }
    }
}
