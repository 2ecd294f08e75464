import Synchronization
import Upstream

/// A clock without real waits: it records the pauses and advances by them.
final class InstantClock: Sendable {
    static let start = ContinuousClock.now

    private let state = Mutex((now: InstantClock.start, pauses: [Duration]()))

    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    var pauses: [Duration] { state.withLock { $0.pauses } }

    func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
    }

    /// A retry policy on this clock with a constant fraction of the longest pause.
    func retry(fraction: Double = 0.5) -> UpstreamRetry {
        UpstreamRetry(
            now: { self.now },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock {
                    $0.pauses.append(duration)
                    $0.now += duration
                }
            },
            fraction: { fraction })
    }
}
