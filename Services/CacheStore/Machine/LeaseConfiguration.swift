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

extension LeaseStateMachine {
    /// What the machine's owner has to do, in this order.
    ///
    /// Every request ends in exactly one of `grant`, `busy`, `share` and `fail`, unless it is abandoned; `park` comes
    /// before that at most once.
    public enum Action: Hashable, Sendable {
        /// The waiter's instance holds this lease, newly or already before, and must fetch.
        case grant(WaiterID, LeaseID)
        /// Another instance fetches; a later action ends this request.
        case park(WaiterID)
        /// Too many requests wait: try again later.
        case busy(WaiterID)
        /// The value has been stored: read it and answer.
        case share(WaiterID)
        /// The fetch failed: answer with this failure.
        case fail(WaiterID, [UInt8])
        /// The event's lease is not the key's current one; nothing was changed.
        case staleLease(LeaseID)
    }
}
