/// The settings of both tiers.
public struct StorageConfiguration: Hashable, Sendable {
    public var memory: MemoryTierConfiguration
    public var disk: DiskTierConfiguration
    /// Kinds that are never written to disk.
    public var memoryOnlyKinds: Set<String>

    public init(
        memory: MemoryTierConfiguration = MemoryTierConfiguration(), disk: DiskTierConfiguration,
        memoryOnlyKinds: Set<String> = []
    ) {
        self.memory = memory
        self.disk = disk
        self.memoryOnlyKinds = memoryOnlyKinds
    }

    func isForDisk(_ key: String) -> Bool {
        memoryOnlyKinds.isEmpty || !memoryOnlyKinds.contains(EntryKey(key).kind)
    }
}

/// The location of the disk tier's file, and its bound.
public struct DiskTierConfiguration: Hashable, Sendable {
    /// The folder of `cache.sqlite`; created with its parents when it is missing.
    public var folder: String
    /// The bound of the entries; the file is larger by SQLite's overhead and reuses free pages instead of shrinking.
    public var bound: TierBound

    public init(folder: String, bound: TierBound = TierBound(bytes: 512 << 20, entries: 500_000)) {
        self.folder = folder
        self.bound = bound
    }

    /// The database's path: `cache.sqlite` in the folder.
    public var path: String { folder + "/cache.sqlite" }
}

/// The memory bound of each family of kinds.
///
/// Each named family, and all the others together, evict only among themselves: many posters cannot evict a chart.
public struct MemoryTierConfiguration: Hashable, Sendable {
    /// Bounds by kind (`chart.daily`) or by family (`chart`); the kind's own bound takes precedence.
    public var bounds: [String: TierBound]
    /// The bound that all kinds without a bound of their own share.
    public var otherBound: TierBound

    public init(
        bounds: [String: TierBound] = MemoryTierConfiguration.defaultBounds,
        otherBound: TierBound = TierBound(bytes: 4 << 20, entries: 2_000)
    ) {
        self.bounds = bounds
        self.otherBound = otherBound
    }

    /// The numbers of entries follow from the usual size of such a payload.
    public static let defaultBounds = [
        "chart": TierBound(bytes: 20 << 20, entries: 4_000),
        "movie": TierBound(bytes: 4 << 20, entries: 2_000),
        "poster": TierBound(bytes: 4 << 20, entries: 2_000),
        // Images, of up to 1.5 MiB each, have their own bound.
        "poster.image": TierBound(bytes: 16 << 20, entries: 500),
    ]
}

/// The bound of a tier, or of one part of it; beyond either figure the least recently used entries are evicted.
public struct TierBound: Hashable, Sendable {
    /// Sum of the entries' `size`.
    public var bytes: Int
    public var entries: Int

    public init(bytes: Int, entries: Int) {
        self.bytes = bytes
        self.entries = entries
    }
}
