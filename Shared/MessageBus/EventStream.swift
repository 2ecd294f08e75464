public import Envelope
internal import Localization
internal import ZeroMQ

/// An event with its place in the broker's stream.
public struct StampedEvent: Sendable, Equatable {
    public let stamp: EventStamp
    public let event: Event
}

/// The broker's stream of events: past ones first, then live ones, each once and in order (RFC 12).
///
/// It subscribes before it asks for the past, and drops what it already has. One consumer, which keeps calling `next`: the
/// broker writes no events for a reader that stands still, and gives it what it missed from its ring when it goes on.
public actor EventStream {
    private let bus: MessageBus
    private let socket: Socket
    private var pending: ArraySlice<StampedEvent> = []
    private var last: EventStamp?
    /// Whether a live event has shown where the subscription began.
    private var isJoined = false
    /// What is missing up to here is asked for too: it came while this reader stood still.
    private var suspendedUpTo: EventStamp?
    private var renewAt: ContinuousClock.Instant
    /// When the last question that was answered was asked.
    private var heardAt: ContinuousClock.Instant

    init(bus: MessageBus, last count: Int, deadline: ContinuousClock.Instant) async throws {
        self.bus = bus
        let endpoint = bus.configuration.endpoints.events
        var options = SocketOptions.bus(bus.configuration, endpoint: endpoint)
        options.subscriptions = [[]]
        options.receiveHighWaterMark = 10_000
        socket = try Socket(.subscriber, in: bus.context, options: options)
        (heardAt, renewAt) = (.now, .now + BusTiming.subscriberRenewal)
        try await socket.connect(endpoint)
        try await replay(last: count, by: deadline)
    }

    /// What `next(until:)` brings.
    public enum Arrival: Sendable {
        /// An event, and how many before it were lost (0 but for a broker or a reader that fell behind).
        case event(StampedEvent, lost: Int)
        /// There was none until then.
        case quiet
        /// Closed or cancelled.
        case closed
    }

    /// The next event; nil once closed or cancelled.
    ///
    /// - Returns: the event and how many before it were lost.
    public func next() async throws -> (StampedEvent, lost: Int)? {
        while true {
            switch try await next(until: .now + .seconds(3600)) {
            case .event(let event, let lost): return (event, lost)
            case .closed: return nil
            case .quiet: break
            }
        }
    }

    /// The next event, unless there is none until then.
    public func next(until deadline: ContinuousClock.Instant) async throws -> Arrival {
        while !Task.isCancelled {
            if let event = pending.popFirst() { return take(event) }
            if renewAt <= .now { await renew(by: deadline) }
            if let message = try await socket.receiveIfReady() {
                await take(live: Self.events(in: message))
                // Of messages that cannot be read there may be any number.
                if pending.isEmpty, deadline <= .now { return .quiet }
            } else if let until = suspendedUpTo {
                // No live event has come yet that would show the gap.
                suspendedUpTo = nil
                await catchUp(to: until)
            } else if deadline <= .now {
                return .quiet
            } else if await !socket.waitUntilReadable(until: min(renewAt, deadline)) {
                return .closed
            }
        }
        return .closed
    }

    /// The past events that were asked for, without waiting for live ones; nil when all are taken.
    ///
    /// - Returns: the event and how many before it were lost.
    public func nextPast() -> (StampedEvent, lost: Int)? {
        guard case .event(let event, let lost)? = pending.popFirst().map(take) else { return nil }
        return (event, lost)
    }

    public func close() async {
        await socket.close()
    }

    private func take(_ event: StampedEvent) -> Arrival {
        defer { last = event.stamp }
        guard let last, last.epoch == event.stamp.epoch else { return .event(event, lost: 0) }
        return .event(event, lost: Int(event.stamp.sequence) - Int(last.sequence) - 1)
    }

    // MARK: Live events

    /// The events of a published message: the stamp of the first, and events that follow each other without a gap.
    ///
    /// An event that cannot be read is told as lost: the next one shows the gap.
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
        // Live events that the past already held are dropped.
        let known = last?.sequence ?? 0
        let news = live.drop { $0.stamp.sequence <= known }
        guard let first = news.first?.stamp.sequence else { return }
        // The first live event shows where the subscription began; what lies between is asked for.
        if first > known + 1, !isJoined || wasSuspended(after: known, in: epoch) {
            pending = await missedEvents(from: known + 1, to: EventStamp(epoch: epoch, sequence: first - 1))[...]
        }
        isJoined = true
        pending += news
    }

    private func wasSuspended(after known: UInt64, in epoch: UInt64) -> Bool {
        suspendedUpTo.map { $0.epoch == epoch && known < $0.sequence } ?? false
    }

    /// Another broker: its stream begins at 1, and its first events came before this socket was back.
    private func follow(_ epoch: UInt64) {
        guard last != nil else { return }
        last = EventStamp(epoch: epoch, sequence: 0)
        isJoined = false
    }

    // MARK: Past events

    private func replay(last count: Int, by deadline: ContinuousClock.Instant) async throws {
        let head = try await page(from: .max, by: deadline).head
        let first = head.sequence >= UInt64(count) ? head.sequence - UInt64(count) + 1 : 1
        // The stream grows while it is asked for: what is newer than the head just seen comes as live events.
        if count > 0 { pending = try await events(from: first, to: head, by: deadline)[...] }
        last = EventStamp(epoch: head.epoch, sequence: (pending.first?.stamp.sequence ?? head.sequence + 1) - 1)
    }

    /// Says that this reader is there.
    private func renew(by deadline: ContinuousClock.Instant) async {
        let askedAt = ContinuousClock.now
        // Without an answer the next renewal asks again; what is missed meanwhile the ring keeps.
        let patience = max(deadline, askedAt + BusTiming.subscriberRenewal)
        let head = try? await page(from: .max, by: min(patience, askedAt + BusTiming.eventPageLimit)).head
        // From the answer on: a broker that answers slowly must not keep this reader from reading.
        renewAt = .now + BusTiming.subscriberRenewal
        guard let head else { return }
        if .now - heardAt >= BusTiming.subscriberLease { suspendedUpTo = head }
        heardAt = askedAt
    }

    private func catchUp(to head: EventStamp) async {
        if head.epoch != last?.epoch { follow(head.epoch) }
        guard let known = last?.sequence, known < head.sequence else { return }
        pending = await missedEvents(from: known + 1, to: head)[...]
    }

    /// What came before this subscription, or while this reader stood still; nothing, and so told as lost, when the broker
    /// does not say it in time.
    ///
    /// The connection for questions may find a new broker later than the one for events, and fails until it has.
    private func missedEvents(from first: UInt64, to last: EventStamp) async -> [StampedEvent] {
        let deadline = ContinuousClock.now + BusTiming.eventPageLimit
        while .now < deadline, !Task.isCancelled {
            if let missed = try? await events(from: first, to: last, by: deadline) { return missed }
            // Cut short by cancellation only, which ends the loop.
            try? await Task.sleep(for: BusTiming.eventPagePause)
        }
        return []
    }

    /// Asks the broker's ring, page by page. No further than `last`: under load the stream may grow faster than it is read so.
    private func events(
        from first: UInt64, to last: EventStamp, by deadline: ContinuousClock.Instant
    ) async throws -> [StampedEvent] {
        var events: [StampedEvent] = []
        var next = first
        while next <= last.sequence {
            let page = try await page(from: next, by: deadline)
            // Another broker knows nothing of that stream.
            guard page.head.epoch == last.epoch, let newest = page.newest else { break }
            events += page.events.filter { $0.stamp.sequence <= last.sequence }
            next = newest + 1
        }
        return events
    }

    /// The newest stamp, the events of one page of the ring, and the number of the last of them, readable or not.
    private func page(
        from sequence: UInt64, by deadline: ContinuousClock.Instant
    ) async throws -> (head: EventStamp, events: [StampedEvent], newest: UInt64?) {
        let frames = try await bus.eventPage(from: sequence, deadline: deadline)
        guard let head = frames.first.flatMap(EventStamp.init) else {
            throw Failure(
                .malformed,
                LocalizedText(ko: "브로커의 이벤트 목록을 읽을 수 없습니다.", en: "The broker's list of events cannot be read."),
                isRetryable: false)
        }
        var events: [StampedEvent] = []
        var newest: UInt64?
        for pair in stride(from: 1, to: frames.count - 1, by: 2) {
            guard let stamp = EventStamp(frames[pair]), stamp.epoch == head.epoch else { continue }
            newest = stamp.sequence
            guard let event = try? JSONBytes.decode(Event.self, from: frames[pair + 1]) else { continue }
            events.append(StampedEvent(stamp: stamp, event: event))
        }
        return (head, events, newest)
    }
}
