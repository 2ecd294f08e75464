/// The monotonic time since a connection was created; the time base of its state machines.
struct BusClock: Sendable {
    let origin = ContinuousClock.now

    var now: Duration { ContinuousClock.now - origin }

    func instant(_ time: Duration) -> ContinuousClock.Instant { origin + time }
    func time(_ instant: ContinuousClock.Instant) -> Duration { instant - origin }
}
