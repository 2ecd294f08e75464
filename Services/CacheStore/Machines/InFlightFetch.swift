/// The fetch of one key: its lease, the lease's holder, and the requests that wait for the outcome.
struct InFlightFetch: Sendable {
    struct Waiter: Sendable {
        let id: WaiterID
        let holder: String
        let request: String?
        let rank: Int
    }

    var lease: LeaseID
    var holder: String
    /// The request that the holder works on.
    var request: String?
    /// When the lease was granted or last renewed.
    var renewedAt: Duration
    /// Longest waiting first.
    var waiters: [Waiter] = []
}
