internal import Envelope
internal import Majordomo
internal import MessageBus

/// The broker's stream of events from now on, read a page at a time and at most once an interval.
///
/// It is no subscriber: the broker sends nothing and nobody wakes for it between two reads. Events that the broker no
/// longer keeps at the next read are reported as lost.
actor PolledEventStream: EventStream {
    private static let eventsAPage = 500

    private let transport: MajordomoTransport
    private let interval: Duration
    private var pending: ArraySlice<StampedEvent> = []
    /// The last event that was read, or that was there at the start.
    private var last: EventStamp
    private var nextRead: ContinuousClock.Instant
    private var isLost = false
    private var isClosed = false

    init(of transport: MajordomoTransport, every interval: Duration) async throws {
        (self.transport, self.interval) = (transport, interval)
        last = try await Self.page(of: transport, from: .max).head
        nextRead = .now + interval
    }

    func next(until deadline: ContinuousClock.Instant) async throws -> EventArrival {
        while !Task.isCancelled, !isClosed {
            if let event = pending.popFirst() { return take(event) }
            if .now < nextRead {
                guard deadline > .now else { return .quiet }
                // Until the next read, or until the caller has something else to do.
                try await Task.sleep(until: min(nextRead, deadline))
                continue
            }
            if let change = await read() { return .connection(change) }
        }
        return .closed
    }

    func nextPastEvent() -> (StampedEvent, lost: Int)? { nil }

    func close() async { isClosed = true }

    private func take(_ event: StampedEvent) -> EventArrival {
        defer { last = event.stamp }
        return .event(event, lost: Int(clamping: event.stamp.sequence) - Int(clamping: last.sequence) - 1)
    }

    private func read() async -> ConnectionChange? {
        nextRead = .now + interval
        guard let page = try? await Self.page(of: transport, from: last.sequence &+ 1) else {
            // Without an answer the next read asks again.
            defer { isLost = true }
            return isLost || Task.isCancelled ? nil : .lost
        }
        if page.head.epoch != last.epoch {
            // The stream of another broker begins at 1.
            last = EventStamp(epoch: page.head.epoch, sequence: 0)
            (isLost, nextRead) = (false, .now)
            return .restored(missed: 0)
        }
        pending = page.events[...]
        // Events that cannot be read must not be asked for again.
        if pending.isEmpty, let newest = page.newest { last = EventStamp(epoch: last.epoch, sequence: newest) }
        // A page is bounded: the rest of the events follows at once.
        if let newest = page.newest, newest < page.head.sequence { nextRead = .now }
        defer { isLost = false }
        return isLost ? .restored(missed: 0) : nil
    }

    private static func page(of transport: MajordomoTransport, from sequence: UInt64) async throws -> EventPage {
        try await EventPage(
            transport.fetchEventPage(
                from: sequence, limit: eventsAPage, deadline: .now + SubscriptionTiming.pageLimit))
    }
}
