/// One key that is being fetched: who holds its lease, since when, and who waits for the outcome.
struct LeaseFlight: Sendable {
    struct Waiter: Sendable {
        let id: WaiterID
        let holder: String
        let request: String?
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
