internal import Synchronization

/// A time on a poll loop that may be moved forward while a task waits for it.
///
/// After every event, a connection sets its alarm to its state machine's next deadline. An earlier time stays set,
/// since one early ring costs less than changing the time with every message. One task waits; any task may set the
/// time.
public final class Alarm: Sendable {
    private let loop: PollLoop
    private let id: UInt64
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    public init(on loop: PollLoop) {
        self.loop = loop
        id = loop.makeID()
    }

    /// Sets the latest time of the next ring; a time in the past rings at once.
    public func ring(by instant: ContinuousClock.Instant) {
        let isEarlier = time.withLock { time in
            if let set = time, set <= instant { return false }
            time = instant
            return true
        }
        if isEarlier { loop.setDeadline(id: id, instant) }
    }

    /// Waits until the set time has passed, then clears it; false when the task was cancelled instead.
    public func wait() async -> Bool {
        let outcome = await loop.wait(id: id, for: .time) { self.time.withLock { $0 } }
        guard outcome == .deadlinePassed else { return false }
        time.withLock { $0 = nil }
        return true
    }
}
