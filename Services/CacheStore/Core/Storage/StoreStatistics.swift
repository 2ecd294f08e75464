/// The store's counters since the process started.
public struct StoreStatistics: Sendable {
    /// By pool: the families of `MemoryTierConfiguration`, and `other`.
    public var memory: [String: TierStatistics]
    /// Bytes and entries as of the last commit; hits and misses count only keys that memory lacked.
    public var disk: TierStatistics
    public var diskCondition: DiskCondition
    /// Requested keys answered with a fresh entry from either tier.
    public var fresh: Int
    /// Requested keys answered with a stale entry.
    public var stale: Int
    /// Requested keys without an entry.
    public var missing: Int
}
