/// The monotonic time since a connection was created; the time base of its state machines.
package struct BusClock: Sendable {
    package let origin = ContinuousClock.now

    package init() {}

    package var now: Duration { ContinuousClock.now - origin }

    package func instant(_ time: Duration) -> ContinuousClock.Instant { origin + time }
    package func time(_ instant: ContinuousClock.Instant) -> Duration { instant - origin }
}
