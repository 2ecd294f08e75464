internal import DequeModule
internal import Envelope
internal import MessageBus
internal import PollLoop

/// The stream of events in JetStream: past ones first, then live ones, each once and in order.
///
/// It asks the server for a number of events at a time. A reader that does not continue asks for no more, and finds the
/// others in the stream later.
actor NATSEventStream: EventStream {
    private static let batch = 256
    /// As many past events as the ring of our own broker holds.
    private static let maxPast = 10_000

    private nonisolated let loop: PollLoop
    private let alarm: Alarm
    private let connection: NATSConnection
    private let log: EventStore
    private let inbox: String
    private var subscription: UInt64?
    /// Nil while there is none: lost, or not made yet.
    private var consumer: String?
    private var pending: Deque<StampedEvent> = []
    /// Of the stream that is read.
    private var epoch: UInt64 = 0
    /// The last event that was received.
    private var received: UInt64 = 0
    /// The last event that was passed on.
    private var last: EventStamp?
    /// The newest event at the beginning: the past ends there.
    private var head: UInt64 = 0
    /// Events of the current request that have not arrived; 0 without one.
    private var expected = 0
    /// When a reader is made again, unless the current one is heard before.
    private var reopensAt = ContinuousClock.now
    private var isLost = false
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ connection: NATSConnection, on loop: PollLoop, last count: Int, deadline: ContinuousClock.Instant)
        async throws
    {
        self.connection = connection
        self.loop = loop
        alarm = Alarm(on: loop)
        log = EventStore(connection)
        inbox = "\(connection.inbox).events.\(loop.makeID())"
        do {
            try await open(last: count, until: deadline)
        } catch {
            if let subscription { connection.perform { $0.unsubscribe(subscription) } }
            throw error
        }
    }

    private func open(last count: Int, until deadline: ContinuousClock.Instant) async throws {
        subscription = try connection.perform { connection throws(NATSError) in
            try connection.subscribe(inbox) { [weak self] arrival in self?.assumeIsolated { $0.receive(arrival) } }
        }
        let state = try await log.open(until: deadline)
        (epoch, head) = (state.epoch, state.lastSequence)
        let count = UInt64(clamping: min(count, Self.maxPast))
        let wanted = head >= count ? head - count : 0
        received = max(wanted, max(state.firstSequence, 1) - 1)
        last = EventStamp(epoch: epoch, sequence: received)
        consumer = try await log.makeConsumer(from: received + 1, until: deadline)
        extendSilence()
        while received < head, .now < deadline, !Task.isCancelled {
            // A reader that ends, or whose answers are lost, would otherwise hold this until the deadline.
            if reopensAt <= .now { _ = await reopen(until: min(deadline, .now + NATSTiming.reopeningLimit)) }
            await pull()
            alarm.ring(by: min(deadline, reopensAt))
            _ = await alarm.wait()
        }
        if received < head { throw Failure.noJetStream("past events did not arrive in time") }
    }

    func next(until deadline: ContinuousClock.Instant) async throws -> EventArrival {
        while !Task.isCancelled, !isClosed {
            if let event = pending.popFirst() { return take(event) }
            // Not only until `deadline`: with short waits it would never succeed.
            if reopensAt <= .now, let change = await reopen(until: .now + NATSTiming.reopeningLimit) {
                return .connection(change)
            }
            if pending.count < Self.batch { await pull() }
            if deadline <= .now { return .quiet }
            alarm.ring(by: min(deadline, reopensAt))
            guard await alarm.wait() else { return .closed }
        }
        return .closed
    }

    func nextPastEvent() -> (StampedEvent, lost: Int)? {
        guard let first = pending.first, first.stamp.epoch == epoch, first.stamp.sequence <= head else { return nil }
        guard case .event(let event, let lost)? = pending.popFirst().map(take) else { return nil }
        return (event, lost)
    }

    func close() async {
        isClosed = true
        if let subscription { connection.perform { $0.unsubscribe(subscription) } }
        alarm.ring(by: .now)
    }

    private func take(_ event: StampedEvent) -> EventArrival {
        defer { last = event.stamp }
        guard let last, last.epoch == event.stamp.epoch else { return .event(event, lost: 0) }
        return .event(event, lost: max(Int(clamping: event.stamp.sequence) - Int(clamping: last.sequence) - 1, 0))
    }

    private func extendSilence() { reopensAt = .now + NATSTiming.eventStreamSilence }

    /// Asks for more events, unless some are still expected; the silence after a failure leads to a new reader.
    private func pull() async {
        guard expected == 0, let consumer else { return }
        // Counted before the request: its answers may arrive while it returns.
        expected = Self.batch
        extendSilence()
        do {
            try await log.pull(Self.batch, of: consumer, to: inbox)
        } catch {
            expected = 0
        }
    }

    private func receive(_ arrival: NATSConnection.Arrival) {
        defer { alarm.ring(by: .now) }
        guard case .message(let message) = arrival else { return dropConsumer() }
        guard let consumer else { return }
        guard let delivery = EventStore.delivery(of: message) else {
            extendSilence()
            // 100 reports that there is no event now; all others end the request.
            if let status = message.status, status != 100 { expected = 0 }
            if message.status == 409 { dropConsumer() }
            return
        }
        // What an earlier reader still delivers comes from the current one, too, and in order.
        guard delivery.consumer == consumer else { return }
        extendSilence()
        expected = max(expected - 1, 0)
        let sequence = delivery.sequence
        // The server sends the events of a request without gaps, except for those that it has deleted meanwhile.
        guard sequence > received, sequence < .max / 2 else { return }
        received = sequence
        // An unreadable event is reported as lost: the next one reveals the gap.
        guard let event = try? JSONBytes.decode(Event.self, from: message.data),
            // The server has checked the subject, and not what is in the message.
            message.subject == Subjects.event(from: event.source)
        else { return }
        pending.append(StampedEvent(stamp: EventStamp(epoch: epoch, sequence: sequence), event: event))
    }

    /// The reader or its stream is gone.
    private func dropConsumer() { (consumer, expected, reopensAt) = (nil, 0, .now) }

    /// Makes a reader again, from the first event that was not received.
    private func reopen(until deadline: ContinuousClock.Instant) async -> ConnectionChange? {
        (consumer, expected) = (nil, 0)
        guard let state = try? await log.open(until: deadline) else { return lose() }
        if state.epoch != epoch {
            // Another stream begins at 1.
            (epoch, received, head) = (state.epoch, 0, 0)
            last = EventStamp(epoch: epoch, sequence: 0)
        } else if state.lastSequence < received {
            // After a power failure a stream may lack its last events, and uses their sequences again.
            received = state.lastSequence
            head = min(head, received)
            last = EventStamp(epoch: epoch, sequence: received)
        }
        let missed = Int(clamping: max(state.firstSequence, received + 1) - (received + 1))
        guard let made = try? await log.makeConsumer(from: received + 1, until: deadline) else { return lose() }
        consumer = made
        extendSilence()
        guard isLost else { return nil }
        isLost = false
        return .restored(missed: missed)
    }

    private func lose() -> ConnectionChange? {
        reopensAt = .now + NATSTiming.reopeningPause
        defer { isLost = true }
        return isLost || Task.isCancelled ? nil : .lost
    }
}
