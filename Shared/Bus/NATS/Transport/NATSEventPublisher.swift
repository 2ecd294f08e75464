internal import Envelope
internal import MessageBus
internal import PollLoop

/// Publishes this process's events into the stream, one batch after another, without making their senders wait.
actor NATSEventPublisher {
    /// The most events of a batch: all of them are repeated when the servers store none.
    private static let maxBatch = 256
    /// As many as a busy process publishes while the servers elect a leader of the stream.
    private static let maxQueued = 10_000

    private nonisolated let loop: PollLoop
    private nonisolated let alarm: Alarm
    private nonisolated let queue: EventQueue
    private let connection: NATSConnection
    private let clock = BusClock()
    private var outbox: OutboxStateMachine
    /// Begins the subjects of receipts.
    private let receipts: String
    private var isSubscribed = false
    /// False when the last attempt to find or make the stream failed.
    private var isStreamFound = true
    /// Finds or makes the stream.
    private var opening: Task<Void, Never>?
    /// Waits for the last receipt at the end.
    private var waiter: AsyncStream<Never>.Continuation?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ connection: NATSConnection, timing: OutboxTiming, on loop: PollLoop) {
        self.connection = connection
        outbox = OutboxStateMachine(timing: timing)
        self.loop = loop
        alarm = Alarm(on: loop)
        queue = EventQueue(limit: Self.maxQueued) { [alarm] in alarm.ring(by: $0) }
        receipts = "\(connection.inbox).receipt"
    }

    /// The number of dropped events.
    nonisolated var dropped: Int { queue.dropped }

    nonisolated func publish(_ event: Event) {
        queue.append(event)
    }

    /// Sends events until the task is cancelled.
    func run() async {
        let denials = await connection.denials()
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop.tasks) {
                for await denial in denials where denial.operation == .publish { await self.deny(denial.subject) }
            }
            group.addTask(executorPreference: loop.tasks) { while await self.alarm.wait() { await self.send() } }
            for await change in await connection.changes() where change == .connected {
                outbox.reconnect(at: clock.now)
                // Readers rely on workers to make the stream, even on idle ones.
                open()
            }
            opening?.cancel()
            group.cancelAll()
        }
    }

    /// Sends the queued events at the end, and waits for their receipts.
    func finish(within limit: Duration) async {
        let (received, waiter) = AsyncStream.makeStream(of: Never.self)
        self.waiter = waiter
        send()
        let end = Task(executorPreference: loop.tasks) {
            try await Task.sleep(for: limit)
            waiter.finish()
        }
        // Cancellation ends it, too.
        for await _ in received {}
        end.cancel()
        // The rest is sent once more without awaiting receipts, and counted.
        let isConnected = connection.perform { $0.isConnected }
        if isConnected { send(outbox.entries) }
        repeat {
            queue.countDropped(outbox.removeAll())
            if isConnected { sendBatch() }
        } while !outbox.isEmpty
        queue.countDropped(queue.take().count)
    }

    // MARK: Sending

    /// False while everything waits for a connection or for the stream.
    private var canSend: Bool { opening == nil && connection.perform { $0.isConnected } }

    /// Sends what is due.
    private func send() {
        if canSend {
            if outbox.isEmpty, queue.isEmpty, !isStreamFound {
                open()
            } else if outbox.isEmpty {
                sendBatch()
            } else {
                let (again, dropped) = outbox.repeatEntries(at: clock.now)
                queue.countDropped(dropped)
                send(again)
                // Any other subscriber hides from the servers that the stream is missing.
                if !again.isEmpty { open() }
            }
        }
        update()
    }

    private func sendBatch() {
        let batch = queue.take(Self.maxBatch).map { event in
            OutboxStateMachine.Entry(
                id: .random(in: 0 ... .max), subject: Subjects.event(from: event.source), json: event.json())
        }
        outbox.begin(batch, at: clock.now)
        send(batch)
    }

    private func send(_ entries: [OutboxStateMachine.Entry]) {
        for entry in entries {
            do throws(NATSError) {
                try subscribe()
                try publish(entry)
            } catch {
                // Lost just now: the next connection sends it.
                if error.code == .closed || error.code == .disconnected { return }
                queue.countDropped(outbox.receive(.refused, of: entry.id, at: clock.now))
            }
        }
    }

    private func subscribe() throws(NATSError) {
        guard !isSubscribed else { return }
        _ = try connection.perform { connection throws(NATSError) in
            try connection.subscribe("\(receipts).*") { [weak self] arrival in
                self?.assumeIsolated { $0.receive(arrival) }
            }
        }
        isSubscribed = true
    }

    private func publish(_ entry: OutboxStateMachine.Entry) throws(NATSError) {
        guard entry.json.count <= EventStore.maxEventBytes else {
            throw NATSError(code: .tooLarge, operation: "publish an event")
        }
        try connection.perform { connection throws(NATSError) in
            try connection.publish(
                entry.json, to: entry.subject, reply: "\(receipts).\(entry.id)",
                headers: [(name: "Nats-Msg-Id", value: String(entry.id, radix: 36))])
        }
    }

    /// Sets the alarm to what is next, or ends the wait for the last receipt.
    private func update() {
        if outbox.isEmpty, queue.isEmpty {
            waiter?.finish()
            if !isStreamFound, canSend { alarm.ring(by: .now + NATSTiming.publisherOpeningLimit) }
            return
        }
        guard canSend else { return }
        if let deadline = outbox.deadline {
            alarm.ring(by: clock.instant(deadline))
        } else if waiter == nil {
            queue.ringIfDue()
        } else {
            // At the end nothing is gained by a larger batch.
            alarm.ring(by: .now)
        }
    }

    // MARK: Receipts

    private func receive(_ arrival: NATSConnection.Arrival) {
        switch arrival {
        case .noResponders:
            outbox.delay(at: clock.now)
            open()
        case .message(let message):
            guard let id = message.subject.split(separator: ".").last.flatMap({ UInt64($0) }) else { return }
            queue.countDropped(outbox.receive(EventStore.receipt(message), of: id, at: clock.now))
        }
        update()
    }

    private func deny(_ subject: String) {
        queue.countDropped(outbox.deny(subject))
        update()
    }

    /// Finds or makes the stream, and sends nothing meanwhile: what is published without it is in no stream.
    private func open() {
        if opening == nil { opening = Task(executorPreference: loop.tasks) { await self.findStream() } }
    }

    private func findStream() async {
        // Whatever the cause, another attempt follows, and events that are given up are counted.
        let found = try? await EventStore(connection).open(until: .now + NATSTiming.publisherOpeningLimit)
        (opening, isStreamFound) = (nil, found != nil)
        send()
    }
}
