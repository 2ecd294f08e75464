import CacheStoreMachines

/// The keys used since the last commit, which are written with the next one.
///
/// Bounded, so that a put after many reads does not take longer: beyond the bound the oldest uses are dropped, which
/// only makes the eviction on disk slightly less exact.
struct UseLog: Sendable {
    static let capacity = 256

    private var keys = RecencyList<String, Void>()

    mutating func note(_ key: String) {
        keys.set((), for: key)
        if keys.count > Self.capacity, let oldest = keys.oldest { keys.remove(oldest.key) }
    }

    /// Removes and returns all keys, the oldest use first.
    mutating func drain() -> [String] {
        defer { keys = RecencyList() }
        return keys.keysFromOldest
    }
}
