/// One key that is being fetched: who holds its lease, since when, and who waits for the outcome.
struct LeaseFlight: Sendable {
    struct Waiter: Sendable {
        let id: WaiterID
        let holder: String
    }

    var lease: LeaseID
    var holder: String
    /// When the lease was granted or last renewed.
    var renewedAt: Duration
    /// Longest waiting first.
    var waiters: [Waiter] = []
}
