internal import Synchronization

/// A time on a poll loop that may be moved forward while someone waits for it.
///
/// A connection asks its alarm to ring by its state machine's next deadline after every event; an earlier time stays set,
/// since ringing early once costs less than moving the time with every message. One task waits; anyone may ask.
public final class Alarm: Sendable {
    private let loop: PollLoop
    private let waits: WaitTable
    private let id: UInt64
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    public init(in context: Context) {
        loop = context.loop
        waits = context.waits
        id = loop.makeID()
    }

    /// Asks for a ring at that time at the latest; a time in the past rings at once.
    public func ring(by instant: ContinuousClock.Instant) {
        let isEarlier = time.withLock { time in
            if let set = time, set <= instant { return false }
            time = instant
            return true
        }
        if isEarlier { loop.command(.setDeadline(id: id, instant)) }
    }

    /// Waits until the asked time has passed, then forgets it; false when the task was cancelled instead.
    public func wait() async -> Bool {
        let outcome = await waits.wait(id: id, for: .time) { self.time.withLock { $0 } }
        guard outcome == .deadlinePassed else { return false }
        time.withLock { $0 = nil }
        return true
    }
}
