/// Requests the cache's figures, with an empty payload; the reply's payload is a `CacheStatsReply`.
public enum CacheStatsRequest {
    public static let kind = "cache.stats"
}

/// The contents of the cache and its counters since its start.
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
        /// Entries that were evicted for others.
        public let evictions: Int
        /// Entries that were not stored because one alone is larger than the bound.
        public let refusals: Int
        /// Entries that were damaged and removed.
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
    /// Why the cache does not use the disk; nil when it does.
    public let diskFailure: String?
    /// Stored failures.
    public let failures: Int
    /// Requested keys: answered fresh, answered stale, missing.
    public let fresh: Int
    public let stale: Int
    public let missing: Int
    /// The new paths of damaged databases since the cache's start; their contents are lost.
    public let setAside: [String]
    /// The paths of databases that were deleted or replaced while the cache used them, since its start.
    public let deleted: [String]
    /// Pins and call counts that were damaged and removed since the cache's start.
    public let damagedState: Int

    public init(
        memory: [Tier], disk: Tier, diskFailure: String?, failures: Int, fresh: Int, stale: Int, missing: Int,
        setAside: [String] = [], deleted: [String] = [], damagedState: Int = 0
    ) {
        self.memory = memory
        self.disk = disk
        self.diskFailure = diskFailure
        self.failures = failures
        self.fresh = fresh
        self.stale = stale
        self.missing = missing
        self.setAside = setAside
        self.deleted = deleted
        self.damagedState = damagedState
    }

    /// Encodes every key; an unknown value is null.
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
        try container.encode(deleted, forKey: .deleted)
        try container.encode(damagedState, forKey: .damagedState)
    }
}

/// Removes the entry of a key, or all entries of a kind; the reply's payload is a `CacheRemovalReply`.
public struct CachePurgeRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.purge"

    /// The kinds of entries.
    public static let entryKinds =
        ChartRequest.kinds + FilmPart.allCases.map(\.requestKind) + PosterImageRequest.kinds + FilmSearchRequest.kinds

    /// A key (`chart.daily?date=2022-01-05`), a kind (`chart.daily`) or the first word of a kind (`chart`).
    public let what: String

    /// Whether there can be such entries.
    public var isPossible: Bool {
        let kind = what.prefix { $0 != "?" }
        let isFamily = kind.count == what.count && Self.entryKinds.contains { $0.hasPrefix("\(kind).") }
        return isFamily || Self.entryKinds.contains(String(kind))
    }

    public init(what: String) {
        self.what = what
    }
}

/// Removes everything that can be fetched again, with an empty payload; call counts are kept. The reply's payload is a
/// `CacheRemovalReply`.
public enum CacheClearRequest {
    public static let kind = "cache.clear"
}

/// The removed entries.
public struct CacheRemovalReply: Codable, Sendable, Equatable {
    public let entries: Int
    /// Removed failures.
    public let failures: Int

    public init(entries: Int, failures: Int) {
        self.entries = entries
        self.failures = failures
    }
}
