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
        memoryOnlyKinds.isEmpty || !memoryOnlyKinds.contains(CacheKey(key).kind)
    }
}
