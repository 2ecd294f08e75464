/// The durations of the bus above the protocol (see `MajordomoTiming`).
public enum BusTiming {
    /// How long unsent events and replies outlive the scope of the bus.
    public static let linger: Duration = .milliseconds(250)
    static let reconnectInterval: Duration = .milliseconds(50)
    /// How long a refused process waits before it connects again: the broker may list its key meanwhile.
    static let refusedPause: Duration = .seconds(1)
    /// Between two messages of events. Each wakes libzmq's thread here and both threads of the broker, during the very
    /// requests that the events describe. After a pause an event is sent at once, before the requests that it causes.
    static let eventInterval: Duration = .milliseconds(1)
    /// How long the broker counts a subscriber as present after its last request.
    public static let subscriberLease: Duration = .seconds(3)
    static let subscriberRenewal: Duration = .seconds(1)
    /// The limit of one page of past events.
    static let eventPageLimit: Duration = .seconds(5)
    /// The pause after a page that the broker did not answer.
    static let eventPagePause: Duration = .milliseconds(100)
}
