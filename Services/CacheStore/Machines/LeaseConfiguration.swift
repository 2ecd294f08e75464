/// The durations and bounds of leases.
public struct LeaseConfiguration: Hashable, Sendable {
    /// A lease that is not renewed for this long passes to the next waiter; holders renew after a third of it.
    public var duration: Duration
    /// Requests that may wait at once, over all keys. It must be below the store's capacity, or waiting requests would
    /// block the put that they wait for.
    public var maxParked: Int

    public init(duration: Duration = .milliseconds(1_500), maxParked: Int = 256) {
        self.duration = duration
        self.maxParked = maxParked
    }
}
