import Synchronization

/// How many images are being fetched; a bound keeps slow hosts from taking all that a search for posters needs.
final class Downloads: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// False when there are too many already; else `end` has to follow.
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
