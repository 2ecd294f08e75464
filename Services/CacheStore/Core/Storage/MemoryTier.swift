/// The tier in memory: least recently used entries, bounded in bytes and in number for each family of kinds.
///
/// A plain value without clock or lock; every operation takes constant time, an insertion plus what it evicts.
public struct MemoryTier: Sendable {
    /// What became of an entry that was offered.
    public enum Insertion: Hashable, Sendable {
        case stored(evicted: Int)
        /// The entry alone exceeds its bound; an older one under the same key was dropped, or it would be served.
        case refusedTooLarge
        /// A newer entry is held and stays.
        case superseded
    }

    /// The name of the pool for kinds without a bound of their own.
    public static let otherPool = "other"

    private let configuration: MemoryTierConfiguration
    private var pools: [String: MemoryPool]

    public init(configuration: MemoryTierConfiguration = MemoryTierConfiguration()) {
        self.configuration = configuration
        pools = configuration.bounds.mapValues(MemoryPool.init(bound:))
        pools[Self.otherPool] = MemoryPool(bound: configuration.otherBound)
    }

    /// Figures by pool: the names given in the configuration, and `other`.
    public var statistics: [String: TierStatistics] {
        pools.mapValues(\.statistics)
    }

    /// The entry, fresh or not, which from now on is the one used last; counted as hit or miss.
    public mutating func entry(for key: String) -> CacheEntry? {
        pools[poolName(for: key)]?.entry(for: key) ?? nil
    }

    /// The entry, fresh or not, without counting as a use.
    public func peek(_ key: String) -> CacheEntry? {
        pools[poolName(for: key)]?.peek(key)
    }

    @discardableResult
    public mutating func insert(_ entry: CacheEntry) -> Insertion {
        // The name is always one of the pools: see `poolName(for:)`.
        pools[poolName(for: entry.key)]?.insert(entry) ?? .refusedTooLarge
    }

    public mutating func remove(_ key: String) {
        pools[poolName(for: key)]?.remove(key)
    }

    /// - Returns: the keys that were there.
    @discardableResult
    mutating func remove(_ selection: CacheSelection) -> [String] {
        pools.keys.map { $0 }.flatMap { pools[$0]?.remove(selection) ?? [] }
    }

    private func poolName(for key: String) -> String {
        let key = CacheKey(key)
        if configuration.bounds[key.kind] != nil { return key.kind }
        return configuration.bounds[key.family] != nil ? key.family : Self.otherPool
    }
}
