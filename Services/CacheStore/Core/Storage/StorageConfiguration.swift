/// Both tiers' settings, defaults in one place.
public struct StorageConfiguration: Hashable, Sendable {
    public var memory: MemoryTierConfiguration
    public var disk: DiskTierConfiguration

    public init(memory: MemoryTierConfiguration = MemoryTierConfiguration(), disk: DiskTierConfiguration) {
        self.memory = memory
        self.disk = disk
    }
}
