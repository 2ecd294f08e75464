public import Envelope
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
    /// How long the broker takes a reader to be there after it was heard of.
    public static let lease: Duration = .seconds(3)
    private static let renewalInterval: Duration = .seconds(1)

    private let bus: MessageBus
    private let socket: Socket
    private var pending: ArraySlice<StampedEvent> = []
    private var last: EventStamp?
    /// Whether a live event has shown where the subscription began.
    private var isJoined = false
    /// What is missing up to here is asked for too: it came while this reader stood still.
    private var stoodStillUpTo: UInt64 = 0
    private var askedAt = ContinuousClock.now

    init(bus: MessageBus, last count: Int) async throws {
        self.bus = bus
        let endpoint = bus.configuration.endpoints.events
        var options = SocketOptions.bus(bus.configuration, endpoint: endpoint)
        options.subscriptions = [[]]
        options.receiveHighWaterMark = 10_000
        socket = try Socket(.subscriber, in: bus.context, options: options)
        try await socket.connect(endpoint)
        try await replay(last: count)
    }

    /// The next event; nil once closed or cancelled.
    ///
    /// - Returns: the event and how many before it were lost (0 but for a broker or a reader that fell behind).
    public func next() async throws -> (StampedEvent, lost: Int)? {
        while true {
            if let event = pending.popFirst() { return take(event) }
            if askedAt + Self.renewalInterval <= .now { await renew() }
            if let message = try await socket.receiveIfReady() {
                await take(live: Self.events(in: message))
            } else if let known = last?.sequence, known < stoodStillUpTo {
                // No live event has come yet that would show the gap.
                stoodStillUpTo = 0
                pending = await missedEvents(since: known + 1)[...]
            } else if await !socket.waitUntilReadable(until: askedAt + Self.renewalInterval) {
                return nil
            }
        }
    }

    /// Says that this reader is there.
    private func renew() async {
        let previous = askedAt
        // An interval from now is soon enough to try again: a broker that is gone forgets its readers anyway.
        askedAt = .now
        guard let head = try? await events(since: .max).0, head.epoch == last?.epoch else { return }
        if .now - previous >= Self.lease { stoodStillUpTo = head.sequence }
    }

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

    /// What came before this subscription; nothing, and so told as lost, when the broker does not say it in time.
    ///
    /// The connection for questions may find a new broker later than the one for events, and fails until it has.
    private func missedEvents(since sequence: UInt64) async -> [StampedEvent] {
        let deadline = ContinuousClock.now + .seconds(5)
        while .now < deadline, !Task.isCancelled {
            if let (_, missed) = try? await events(since: sequence) { return missed }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return []
    }

    private func take(live: [StampedEvent]) async {
        guard let epoch = live.first?.stamp.epoch else { return }
        if let last, epoch != last.epoch {
            // Another broker: its stream begins at 1, and its first events came before this socket was back.
            self.last = EventStamp(epoch: epoch, sequence: 0)
            (isJoined, stoodStillUpTo) = (false, 0)
        }
        // Live events that the past already held are dropped.
        let known = last?.sequence ?? 0
        let news = live.drop { $0.stamp.sequence <= known }
        guard let first = news.first?.stamp.sequence else { return }
        // The first live event shows where the subscription began; what lies between is asked for.
        if first > known + 1, !isJoined || known < stoodStillUpTo {
            pending = await missedEvents(since: known + 1).filter { $0.stamp.sequence < first }[...]
        }
        isJoined = true
        pending += news
    }

    /// The past events that were asked for, without waiting for live ones; nil when all are taken.
    public func nextPast() -> StampedEvent? {
        pending.popFirst().flatMap { take($0)?.0 }
    }

    public func close() async {
        await socket.close()
    }

    private func take(_ event: StampedEvent) -> (StampedEvent, lost: Int)? {
        defer { last = event.stamp }
        guard let last, last.epoch == event.stamp.epoch else { return (event, 0) }
        return (event, Int(event.stamp.sequence) - Int(last.sequence) - 1)
    }

    private func replay(last count: Int) async throws {
        let head = try await events(since: .max).0
        let first = head.sequence >= UInt64(count) ? head.sequence - UInt64(count) + 1 : 1
        // The stream grows while it is asked for: what is newer than the head just seen comes as live events.
        if count > 0 { pending = try await events(since: first).1.prefix(count) }
        last = EventStamp(epoch: head.epoch, sequence: (pending.first?.stamp.sequence ?? head.sequence + 1) - 1)
    }

    /// Asks the broker's ring, page by page; also tells the newest stamp.
    private func events(since sequence: UInt64) async throws -> (EventStamp, [StampedEvent]) {
        var events: [StampedEvent] = []
        var next = sequence
        while true {
            let reply = try await bus.inspect(
                "mmi.events", [Array(String(next).utf8)], deadline: .now + .seconds(5))
            guard let head = reply.frames.first.flatMap(EventStamp.init) else {
                throw Failure(
                    .malformed,
                    LocalizedText(ko: "브로커의 이벤트 목록을 읽을 수 없습니다.", en: "The broker's list of events cannot be read."),
                    isRetryable: false)
            }
            var newest: UInt64?
            for pair in stride(from: 1, to: reply.frames.count - 1, by: 2) {
                guard let stamp = EventStamp(reply.frames[pair]) else { continue }
                newest = stamp.sequence
                guard let event = try? JSONBytes.decode(Event.self, from: reply.frames[pair + 1]) else { continue }
                events.append(StampedEvent(stamp: stamp, event: event))
            }
            guard let newest, newest < head.sequence else { return (head, events) }
            next = newest + 1
        }
    }
}
