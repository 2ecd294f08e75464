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

    /// The limit of unsent events; further events are dropped and counted.
    private static let limit = 1000

    private let state = Mutex(State())
    private let alarm: Alarm

    /// - Parameter alarm: rings when events are due.
    init(_ alarm: Alarm) {
        self.alarm = alarm
    }

    /// The number of dropped events.
    var dropped: Int { state.withLock { $0.dropped } }

    var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

    func append(_ event: Event) {
        let due: ContinuousClock.Instant? = state.withLock { state in
            guard state.events.count < Self.limit else {
                state.dropped += 1
                return nil
            }
            state.events.append(event)
            return state.events.count == 1 ? state.takenAt.map { $0 + BusTiming.eventInterval } ?? .now : nil
        }
        if let due { alarm.ring(by: due) }
    }

    func takeAll() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            if !state.events.isEmpty { state.takenAt = .now }
            return state.events
        }
    }

    func countDropped(_ count: Int) {
        state.withLock { $0.dropped += count }
    }
}
