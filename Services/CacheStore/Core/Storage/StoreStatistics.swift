/// The store's figures since the process started.
public struct StoreStatistics: Sendable {
    /// By pool: the families of `MemoryTierConfiguration`, and `other`.
    public var memory: [String: TierStatistics]
    /// Bytes and entries as of the last commit; hits and misses count only what memory did not have.
    public var disk: TierStatistics
    public var diskCondition: DiskCondition
    /// Keys that were asked for and answered with a fresh entry, whichever tier had it.
    public var fresh: Int
    /// Keys that were asked for and answered with an entry past its freshness.
    public var stale: Int
    /// Keys that were asked for and found nowhere.
    public var missing: Int
}
