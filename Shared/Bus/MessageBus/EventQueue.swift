internal import Envelope
internal import PollLoop
internal import Synchronization

/// The events of a process that have not been sent, at most one batch per millisecond.
final class EventQueue: Sendable {
    private struct State {
        var events: [Event] = []
        var dropped = 0
        /// The time at which events were last taken.
        var takenAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let alarm: Alarm
    private let limit: Int

    /// - Parameters:
    ///   - alarm: rings when events are due.
    ///   - limit: of unsent events; further events are dropped and counted.
    init(_ alarm: Alarm, limit: Int) {
        self.alarm = alarm
        self.limit = limit
    }

    /// The number of dropped events.
    var dropped: Int { state.withLock { $0.dropped } }

    var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

    func append(_ event: Event) {
        let due: ContinuousClock.Instant? = state.withLock { state in
            guard state.events.count < limit else {
                state.dropped += 1
                return nil
            }
            state.events.append(event)
            return state.events.count == 1 ? state.takenAt.map { $0 + BusTiming.eventInterval } ?? .now : nil
        }
        if let due { alarm.ring(by: due) }
    }

    /// Takes the oldest events, as many as are wanted.
    func take(_ count: Int = .max) -> [Event] {
        state.withLock { state in
            if !state.events.isEmpty { state.takenAt = .now }
            defer { if count < state.events.count { state.events.removeFirst(count) } else { state.events = [] } }
            return count < state.events.count ? Array(state.events.prefix(count)) : state.events
        }
    }

    /// Rings when the queued events are due: `append` does so for the first one only.
    func ring() {
        let due: ContinuousClock.Instant? = state.withLock { state in
            state.events.isEmpty ? nil : state.takenAt.map { $0 + BusTiming.eventInterval } ?? .now
        }
        if let due { alarm.ring(by: due) }
    }

    func countDropped(_ count: Int) {
        state.withLock { $0.dropped += count }
    }
}
