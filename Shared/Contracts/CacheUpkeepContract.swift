/// Asks for the cache's figures, with an empty payload; the reply's payload is a `CacheStatsReply`.
public enum CacheStatsRequest {
    public static let kind = "cache.stats"
}

/// What the cache holds and has done since its start.
public struct CacheStatsReply: Codable, Sendable, Equatable {
    /// One bounded part of the cache.
    public struct Tier: Codable, Sendable, Equatable {
        /// "chart", "movie", … in memory; "disk".
        public let name: String
        public let entries: Int
        public let bytes: Int
        public let maxEntries: Int
        public let maxBytes: Int
        public let hits: Int
        public let misses: Int
        /// Entries that left because others needed the room.
        public let evictions: Int
        /// Entries that were not taken because one alone is larger than the bound.
        public let refusals: Int
        /// Entries whose bytes were not what had been written; they were removed.
        public let damaged: Int

        public init(
            name: String, entries: Int, bytes: Int, maxEntries: Int, maxBytes: Int, hits: Int, misses: Int,
            evictions: Int, refusals: Int, damaged: Int = 0
        ) {
            self.name = name
            self.entries = entries
            self.bytes = bytes
            self.maxEntries = maxEntries
            self.maxBytes = maxBytes
            self.hits = hits
            self.misses = misses
            self.evictions = evictions
            self.refusals = refusals
            self.damaged = damaged
        }
    }

    /// By name.
    public let memory: [Tier]
    public let disk: Tier
    /// Why the cache has no disk; nil when it has.
    public let diskFailure: String?
    /// Failures that are remembered.
    public let failures: Int
    /// Keys that were asked for: answered fresh, answered past their freshness, found nowhere.
    public let fresh: Int
    public let stale: Int
    public let missing: Int
    /// Where damaged databases were moved to since the cache's start; what they held is lost.
    public let setAside: [String]
    /// Pins and counts of calls that were damaged and removed since the cache's start.
    public let damagedState: Int

    public init(
        memory: [Tier], disk: Tier, diskFailure: String?, failures: Int, fresh: Int, stale: Int, missing: Int,
        setAside: [String] = [], damagedState: Int = 0
    ) {
        self.memory = memory
        self.disk = disk
        self.diskFailure = diskFailure
        self.failures = failures
        self.fresh = fresh
        self.stale = stale
        self.missing = missing
        self.setAside = setAside
        self.damagedState = damagedState
    }

    /// Every key is there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(memory, forKey: .memory)
        try container.encode(disk, forKey: .disk)
        try container.encode(diskFailure, forKey: .diskFailure)
        try container.encode(failures, forKey: .failures)
        try container.encode(fresh, forKey: .fresh)
        try container.encode(stale, forKey: .stale)
        try container.encode(missing, forKey: .missing)
        try container.encode(setAside, forKey: .setAside)
        try container.encode(damagedState, forKey: .damagedState)
    }
}

/// Removes what is stored under a key, or all entries of a kind; the reply's payload is a `CacheRemovalReply`.
public struct CachePurgeRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.purge"

    /// A key as `chart.daily?date=2022-01-05`, a kind as `chart.daily`, or a kind's first word as `chart`.
    public let what: String

    public init(what: String) {
        self.what = what
    }
}

/// Removes everything that could be fetched again, with an empty payload; counts of calls stay. The reply's payload is a
/// `CacheRemovalReply`.
public enum CacheClearRequest {
    public static let kind = "cache.clear"
}

/// What was removed.
public struct CacheRemovalReply: Codable, Sendable, Equatable {
    public let entries: Int
    /// Failures that were remembered.
    public let failures: Int

    public init(entries: Int, failures: Int) {
        self.entries = entries
        self.failures = failures
    }
}
