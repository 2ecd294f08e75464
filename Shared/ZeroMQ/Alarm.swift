internal import Synchronization

/// A time on a poll loop that may be moved while someone waits for it.
///
/// A connection sets its alarm to its state machine's next deadline after every event. One task waits; anyone may set.
/// A loop's sleep ends within a millisecond after the set time.
public final class Alarm: Sendable {
    private let loop: PollLoop
    private let id: UInt64
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    public init(on loop: PollLoop) {
        self.loop = loop
        id = loop.makeID()
    }

    /// Sets the time to wait for; nil waits without end. A time in the past rings at once.
    public func set(_ instant: ContinuousClock.Instant?) {
        let isChanged = time.withLock { time in
            defer { time = instant }
            return time != instant
        }
        if isChanged { loop.command(.setDeadline(id: id, instant)) }
    }

    /// Waits until the set time has passed, then forgets it; false when the task was cancelled instead.
    public func wait() async -> Bool {
        let outcome = await LoopWait(loop: loop).wait(id: id) { self.time.withLock { $0 } }
        guard outcome == .deadlinePassed else { return false }
        time.withLock { time in
            if let set = time, set <= .now { time = nil }
        }
        return true
    }
}

/// Brings the waiting task onto the loop, where waits are registered.
private actor LoopWait {
    private nonisolated let loop: PollLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: PollLoop) {
        self.loop = loop
    }

    func wait(id: UInt64, deadline: () -> ContinuousClock.Instant?) async -> WaitOutcome {
        await loop.wait(id: id, for: .time, until: deadline())
    }
}
