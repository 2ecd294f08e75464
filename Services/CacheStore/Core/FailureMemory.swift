import CacheStoreMachines

/// Failures that are worth remembering, such as "there is no such film"; in memory only, the longest unused leave first.
actor FailureMemory {
    struct Remembered: Sendable {
        /// The encoded failure.
        let failure: [UInt8]
        /// Milliseconds since 1970.
        let at: Int64
        let until: Int64
    }

    static let capacity = 2_000

    private var failures = RecencyList<String, Remembered>()

    func count(at now: Int64) -> Int {
        failures.keysFromOldest.count { failures.peek($0).map { now < $0.until } ?? false }
    }

    func remember(_ failure: [UInt8], of key: String, at now: Int64, until: Int64) {
        failures.set(Remembered(failure: failure, at: now, until: until), for: key)
        if failures.count > Self.capacity, let oldest = failures.oldest { failures.remove(oldest.key) }
    }

    func remembered(_ key: String, at now: Int64) -> Remembered? {
        guard let found = failures.use(key) else { return nil }
        // One from the future was remembered under a clock that was ahead.
        guard now < found.until, found.at <= now + CacheEntry.clockTolerance else {
            failures.remove(key)
            return nil
        }
        return found
    }

    func forget(_ key: String) {
        failures.remove(key)
    }

    /// - Returns: how many there were that had not expired.
    func forget(at now: Int64, where isMeant: (String) -> Bool) -> Int {
        let before = count(at: now)
        for key in failures.keysFromOldest where isMeant(key) { failures.remove(key) }
        return before - count(at: now)
    }
}
