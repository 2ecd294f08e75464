/// What a tier holds and what has happened to it since the process started.
public struct TierStatistics: Hashable, Sendable {
    /// Sum of the entries' `size` now; a file is larger by its own overhead.
    public var bytes = 0
    public var entries = 0
    public var hits = 0
    public var misses = 0
    /// Entries that left because others needed the room.
    public var evictions = 0
    /// Entries that were not taken because one alone is larger than the bound.
    public var refusals = 0
    /// Entries whose bytes were not what had been written; they were removed.
    public var damaged = 0

    public init() {}
}
