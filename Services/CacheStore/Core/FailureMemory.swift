import CacheStoreMachine

/// Remembered failures, such as "there is no such film"; in memory only, the least recently used are evicted first.
actor FailureMemory {
    struct RememberedFailure: Sendable {
        /// The encoded failure.
        let failure: [UInt8]
        /// Milliseconds since 1970.
        let at: Int64
        let until: Int64
    }

    static let capacity = 2_000

    private var failures = RecencyList<String, RememberedFailure>()

    func count(at now: Int64) -> Int {
        failures.keysFromOldest.count { failures.peek($0).map { now < $0.until } ?? false }
    }

    func remember(_ failure: [UInt8], of key: String, at now: Int64, until: Int64) {
        failures.set(RememberedFailure(failure: failure, at: now, until: until), for: key)
        if failures.count > Self.capacity, let oldest = failures.oldest { failures.remove(oldest.key) }
    }

    func failure(of key: String, at now: Int64) -> RememberedFailure? {
        guard let found = failures.use(key) else { return nil }
        // A failure from the future was stored under a clock that was ahead.
        guard now < found.until, found.at <= now + CacheEntry.clockTolerance else {
            failures.remove(key)
            return nil
        }
        return found
    }

    func forget(_ key: String) {
        failures.remove(key)
    }

    /// - Returns: how many failures were removed that had not expired.
    func forget(at now: Int64, where isSelected: (String) -> Bool) -> Int {
        let before = count(at: now)
        for key in failures.keysFromOldest where isSelected(key) { failures.remove(key) }
        return before - count(at: now)
    }
}
