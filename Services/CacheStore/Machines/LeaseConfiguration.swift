/// The times and bounds of leases, defaults in one place.
public struct LeaseConfiguration: Hashable, Sendable {
    /// A lease that was not renewed for this long passes on; holders renew every third of it.
    public var duration: Duration
    /// Requests that may wait at once, over all keys; it must stay below the store's capacity, or waiting requests
    /// would keep out the put that they wait for.
    public var maxParked: Int

    public init(duration: Duration = .milliseconds(1_500), maxParked: Int = 256) {
        self.duration = duration
        self.maxParked = maxParked
    }
}
