internal import Envelope
internal import Localization
internal import Majordomo
internal import MessageBus
internal import ZeroMQ

/// The broker's stream of events: past ones first, then live ones, each once and in order (RFC 12).
///
/// It subscribes before it fetches past events, and drops duplicates. It supports one consumer, which calls `next`
/// continuously: the broker sends no events to a suspended reader, and serves the missed events from its ring when the
/// reader resumes.
actor BrokerEventStream: EventStream {
    private let transport: MajordomoTransport
    private let socket: Socket
    private var pending: ArraySlice<StampedEvent> = []
    private var last: EventStamp?
    /// Whether the first live event, which marks the start of the subscription, has arrived.
    private var isJoined = false
    /// Missing events up to here are fetched too: they were published while this reader was suspended.
    private var suspendedUpTo: EventStamp?
    private var renewAt: ContinuousClock.Instant
    /// When the last answered renewal was sent.
    private var renewedAt: ContinuousClock.Instant
    /// Whether the last renewal had no answer.
    private var isLost = false

    init(
        of transport: MajordomoTransport, endpoint: String, options: SocketOptions, last count: Int,
        deadline: ContinuousClock.Instant
    ) async throws {
        self.transport = transport
        var options = options
        options.subscriptions = [[]]
        options.receiveHighWaterMark = 10_000
        socket = try Socket(.subscriber, in: transport.context, options: options)
        (renewedAt, renewAt) = (.now, .now + SubscriptionTiming.renewal)
        try await socket.connect(endpoint)
        try await replay(last: count, by: deadline)
    }

    func next(until deadline: ContinuousClock.Instant) async throws -> EventArrival {
        while !Task.isCancelled {
            if let event = pending.popFirst() { return take(event) }
            if renewAt <= .now, let change = await renew(by: deadline) { return .connection(change) }
            if let message = try await socket.receiveIfReady() {
                await take(live: Self.events(in: message))
                // The number of unreadable messages is not bounded.
                if pending.isEmpty, deadline <= .now { return .quiet }
            } else if let until = suspendedUpTo {
                // No live event has arrived yet that would reveal the gap.
                suspendedUpTo = nil
                // The events show the gap.
                _ = await catchUp(to: until)
            } else if deadline <= .now {
                return .quiet
            } else if await !socket.waitUntilReadable(until: min(renewAt, deadline)) {
                return .closed
            }
        }
        return .closed
    }

    func nextPastEvent() -> (StampedEvent, lost: Int)? {
        guard case .event(let event, let lost)? = pending.popFirst().map(take) else { return nil }
        return (event, lost)
    }

    func close() async {
        await socket.close()
    }

    private func take(_ event: StampedEvent) -> EventArrival {
        defer { last = event.stamp }
        guard let last, last.epoch == event.stamp.epoch else { return .event(event, lost: 0) }
        return .event(event, lost: Int(event.stamp.sequence) - Int(last.sequence) - 1)
    }

    // MARK: Live events

    /// The events of a published message, which contains the stamp of the first event and consecutive events.
    ///
    /// An unreadable event is reported as lost: the next event reveals the gap.
    private static func events(in message: [[UInt8]]) -> [StampedEvent] {
        guard let first = message.first.flatMap(EventStamp.init) else { return [] }
        return message.dropFirst().enumerated().compactMap { offset, bytes in
            guard let event = try? JSONBytes.decode(Event.self, from: bytes) else { return nil }
            let stamp = EventStamp(epoch: first.epoch, sequence: first.sequence + UInt64(offset))
            return StampedEvent(stamp: stamp, event: event)
        }
    }

    private func take(live: [StampedEvent]) async {
        guard let epoch = live.first?.stamp.epoch else { return }
        if epoch != last?.epoch { follow(epoch) }
        // Live events that the past events already contain are dropped.
        let known = last?.sequence ?? 0
        let unseen = live.drop { $0.stamp.sequence <= known }
        guard let first = unseen.first?.stamp.sequence else { return }
        // The first live event marks the start of the subscription; the events before it are fetched.
        if first > known + 1, !isJoined || wasSuspended(after: known, in: epoch) {
            pending = await fetchMissedEvents(from: known + 1, to: EventStamp(epoch: epoch, sequence: first - 1))[...]
        }
        isJoined = true
        pending += unseen
    }

    private func wasSuspended(after known: UInt64, in epoch: UInt64) -> Bool {
        suspendedUpTo.map { $0.epoch == epoch && known < $0.sequence } ?? false
    }

    /// Switches to another broker: its stream begins at 1, and its first events precede the reconnection.
    private func follow(_ epoch: UInt64) {
        guard last != nil else { return }
        last = EventStamp(epoch: epoch, sequence: 0)
        isJoined = false
    }

    // MARK: Past events

    private func replay(last count: Int, by deadline: ContinuousClock.Instant) async throws {
        let head = try await fetchPage(from: .max, by: deadline).head
        let first = head.sequence >= UInt64(count) ? head.sequence - UInt64(count) + 1 : 1
        // The stream grows during the request: events newer than this head arrive as live events.
        if count > 0 { pending = try await fetchEvents(from: first, to: head, by: deadline)[...] }
        last = EventStamp(epoch: head.epoch, sequence: (pending.first?.stamp.sequence ?? head.sequence + 1) - 1)
    }

    /// Renews the lease of this reader at the broker; returns a change of the connection that this reveals.
    private func renew(by deadline: ContinuousClock.Instant) async -> ConnectionChange? {
        let askedAt = ContinuousClock.now
        // Without an answer the next renewal asks again; the ring keeps the events that are missed in the meantime.
        let limit = max(deadline, askedAt + SubscriptionTiming.renewal)
        let head = try? await fetchPage(from: .max, by: min(limit, askedAt + SubscriptionTiming.pageLimit)).head
        // Counted from the answer: a slow broker must not prevent this reader from reading.
        renewAt = .now + SubscriptionTiming.renewal
        guard let head else {
            defer { isLost = true }
            return isLost || Task.isCancelled ? nil : .lost
        }
        if .now - renewedAt >= SubscriptionTiming.lease { suspendedUpTo = head }
        renewedAt = askedAt
        guard isLost else { return nil }
        (isLost, suspendedUpTo) = (false, nil)
        return .restored(missed: await catchUp(to: head))
    }

    /// Fetches what the broker published while this reader had no connection, or was suspended.
    ///
    /// - Returns: the number of events that could not be fetched.
    private func catchUp(to head: EventStamp) async -> Int {
        if head.epoch != last?.epoch { follow(head.epoch) }
        guard let known = last?.sequence, known < head.sequence else { return 0 }
        pending = await fetchMissedEvents(from: known + 1, to: head)[...]
        return Int(head.sequence - known) - pending.count
    }

    /// Fetches the events from before this subscription, or from the suspension of this reader; empty, so that they are
    /// reported as lost, when the broker does not answer in time.
    ///
    /// The request connection may reach a new broker later than the event connection, and fails until then.
    private func fetchMissedEvents(from first: UInt64, to last: EventStamp) async -> [StampedEvent] {
        let deadline = ContinuousClock.now + SubscriptionTiming.pageLimit
        while .now < deadline, !Task.isCancelled {
            if let missed = try? await fetchEvents(from: first, to: last, by: deadline) { return missed }
            // Only cancellation interrupts the sleep, and it ends the loop.
            try? await Task.sleep(for: SubscriptionTiming.pagePause)
        }
        return []
    }

    /// Reads the broker's ring page by page, up to `last`: under load the stream may grow faster than it is read.
    private func fetchEvents(
        from first: UInt64, to last: EventStamp, by deadline: ContinuousClock.Instant
    ) async throws -> [StampedEvent] {
        var events: [StampedEvent] = []
        var next = first
        while next <= last.sequence {
            let page = try await fetchPage(from: next, by: deadline)
            // Another broker does not have that stream.
            guard page.head.epoch == last.epoch, let newest = page.newest else { break }
            events += page.events.filter { $0.stamp.sequence <= last.sequence }
            next = newest + 1
        }
        return events
    }

    /// Repeats the question, which changes nothing, with more patience each time: a broker that ends takes its answer along.
    private func fetchPage(from sequence: UInt64, by deadline: ContinuousClock.Instant) async throws -> EventPage {
        var patience = SubscriptionTiming.pagePatience
        while true {
            do {
                return try await EventPage(
                    transport.fetchEventPage(from: sequence, deadline: min(deadline, .now + patience)))
            } catch let failure as Failure where failure.code == .timeout && .now < deadline {
                patience *= 2
            }
        }
    }
}
