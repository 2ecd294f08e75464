/// The monotonic time of one connection, as the state machines count it: since the connection was made.
struct BusClock: Sendable {
    let origin = ContinuousClock.now

    var now: Duration { ContinuousClock.now - origin }

    func instant(_ time: Duration) -> ContinuousClock.Instant { origin + time }
    func time(_ instant: ContinuousClock.Instant) -> Duration { instant - origin }
}
