/// The contents of a tier, and its counters since the process started.
public struct TierStatistics: Hashable, Sendable {
    /// Current sum of the entries' `size`; a file is larger by its own overhead.
    public var bytes = 0
    public var entries = 0
    public var hits = 0
    public var misses = 0
    /// Entries removed to make room for others.
    public var evictions = 0
    /// Entries refused because one alone exceeds the bound.
    public var refusals = 0
    /// Damaged entries, which were removed.
    public var damaged = 0

    public init() {}
}
