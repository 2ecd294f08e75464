import Synchronization
import Upstream

/// A clock on which waiting takes no time: it notes the pauses and moves on by them.
final class InstantClock: Sendable {
    static let start = ContinuousClock.now

    private let state = Mutex((now: InstantClock.start, pauses: [Duration]()))

    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    var pauses: [Duration] { state.withLock { $0.pauses } }

    func advance(by duration: Duration) {
        state.withLock { $0.now += duration }
    }

    /// A policy on this clock that always takes the same part of the longest pause.
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
