import Synchronization

/// Counts concurrent image downloads; the limit keeps slow hosts from blocking poster searches.
final class Downloads: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// False when the limit is reached; otherwise the caller must call `end`.
    func begin() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func end() {
        count.withLock { $0 -= 1 }
    }
}
