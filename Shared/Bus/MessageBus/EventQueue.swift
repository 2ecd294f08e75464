package import Envelope
internal import Synchronization

/// The events of a process that have not been sent, at most one batch per millisecond.
package final class EventQueue: Sendable {
    private struct State {
        var events: [Event] = []
        var dropped = 0
        /// The time at which events were last taken.
        var takenAt: ContinuousClock.Instant?
    }

    /// The minimum interval between two event messages. Each message wakes the threads of a transport here and the broker's
    /// while the requests that the events describe are processed. After a pause an event is sent immediately, before the
    /// requests that it causes.
    private static let interval: Duration = .milliseconds(1)

    private let state = Mutex(State())
    private let ring: @Sendable (ContinuousClock.Instant) -> Void
    private let limit: Int

    /// - Parameters:
    ///   - limit: of unsent events; further events are dropped and counted.
    ///   - ring: called with the time at which events are due.
    package init(limit: Int, ring: @escaping @Sendable (ContinuousClock.Instant) -> Void) {
        self.limit = limit
        self.ring = ring
    }

    /// The number of dropped events.
    package var dropped: Int { state.withLock { $0.dropped } }

    package var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

    package func append(_ event: Event) {
        let due: ContinuousClock.Instant? = state.withLock { state in
            guard state.events.count < limit else {
                state.dropped += 1
                return nil
            }
            state.events.append(event)
            return state.events.count == 1 ? state.takenAt.map { $0 + Self.interval } ?? .now : nil
        }
        if let due { ring(due) }
    }

    /// Takes the oldest events, as many as are wanted.
    package func take(_ count: Int = .max) -> [Event] {
        state.withLock { state in
            if !state.events.isEmpty { state.takenAt = .now }
            defer { if count < state.events.count { state.events.removeFirst(count) } else { state.events = [] } }
            return count < state.events.count ? Array(state.events.prefix(count)) : state.events
        }
    }

    /// Rings when the queued events are due: `append` does so for the first one only.
    package func ringIfDue() {
        let due: ContinuousClock.Instant? = state.withLock { state in
            state.events.isEmpty ? nil : state.takenAt.map { $0 + Self.interval } ?? .now
        }
        if let due { ring(due) }
    }

    package func countDropped(_ count: Int) {
        state.withLock { $0.dropped += count }
    }
}
