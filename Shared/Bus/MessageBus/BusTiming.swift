/// The durations of the bus above the protocol (see `MajordomoTiming`).
public enum BusTiming {
    /// How long unsent events and replies are kept after the scope of the bus ends.
    public static let linger: Duration = .milliseconds(250)
    static let reconnectInterval: Duration = .milliseconds(50)
    /// The delay before a refused process connects again; its key may be added to the broker in the meantime.
    static let refusedPause: Duration = .seconds(1)
    /// The minimum interval between two event messages. Each message wakes libzmq's thread here and both threads of the
    /// broker while the requests that the events describe are processed. After a pause an event is sent immediately,
    /// before the requests that it causes.
    static let eventInterval: Duration = .milliseconds(1)
    /// How long the broker keeps a subscriber registered after its last request.
    public static let subscriberLease: Duration = .seconds(3)
    static let subscriberRenewal: Duration = .seconds(1)
    /// The time limit for fetching one page of past events.
    static let eventPageLimit: Duration = .seconds(5)
    /// The pause after a page that the broker did not answer.
    static let eventPagePause: Duration = .milliseconds(100)
}

/// The monotonic time since a connection was created; the time base of its state machines.
struct BusClock: Sendable {
    let origin = ContinuousClock.now

    var now: Duration { ContinuousClock.now - origin }

    func instant(_ time: Duration) -> ContinuousClock.Instant { origin + time }
    func time(_ instant: ContinuousClock.Instant) -> Duration { instant - origin }
}
