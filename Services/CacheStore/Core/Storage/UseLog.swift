import CacheStoreMachines

/// The keys used since the last commit, waiting to be written with the next one.
///
/// Bounded, so that the next put does not pay for an hour of reading: beyond the bound the oldest uses are forgotten,
/// which only makes the eviction on disk a little less exact.
struct UseLog: Sendable {
    static let capacity = 256

    private var keys = RecencyList<String, Void>()

    mutating func note(_ key: String) {
        keys.set((), for: key)
        if keys.count > Self.capacity, let oldest = keys.oldest { keys.remove(oldest.key) }
    }

    /// All of them, the oldest use first; the log is empty afterwards.
    mutating func drain() -> [String] {
        defer { keys = RecencyList() }
        return keys.keysFromOldest
    }
}
