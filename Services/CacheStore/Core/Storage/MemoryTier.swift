/// The tier in memory: an LRU cache, bounded in bytes and in number for each family of kinds.
///
/// A plain value without lock; every operation takes constant time, an insertion plus its evictions.
public struct MemoryTier: Sendable {
    /// The result of an insertion.
    public enum Insertion: Hashable, Sendable {
        case stored(evicted: Int)
        /// The entry alone exceeds its bound; an older one under the same key was removed, so that it is not served.
        case refusedTooLarge
        /// A newer entry is kept.
        case superseded
    }

    /// The name of the pool for kinds without a bound of their own.
    public static let otherPool = "other"

    /// The index in `pools` by name.
    private let places: [String: Int]
    /// The last one is for all other kinds.
    private var pools: [MemoryPool]

    public init(configuration: MemoryTierConfiguration = MemoryTierConfiguration()) {
        let bounds = configuration.bounds.filter { $0.key != Self.otherPool }
        places = Dictionary(uniqueKeysWithValues: zip(bounds.keys, 0...))
        pools = (bounds.values + [configuration.otherBound]).map(MemoryPool.init(bound:))
    }

    /// Statistics by pool: the names in the configuration, and `other`.
    public var statistics: [String: TierStatistics] {
        var statistics = places.mapValues { pools[$0].statistics }
        statistics[Self.otherPool] = pools[pools.count - 1].statistics
        return statistics
    }

    /// The entry, fresh or not, which becomes the most recently used; counted as hit or miss.
    public mutating func entry(for key: String) -> CacheEntry? {
        pools[place(of: key)].entry(for: key)
    }

    /// The entry, fresh or not, without counting as a use.
    public func peek(_ key: String) -> CacheEntry? {
        pools[place(of: key)].peek(key)
    }

    /// - Parameter now: milliseconds since 1970.
    @discardableResult
    public mutating func insert(_ entry: CacheEntry, at now: Int64) -> Insertion {
        pools[place(of: entry.key)].insert(entry, at: now)
    }

    /// - Returns: the removed keys.
    @discardableResult
    public mutating func remove(_ selection: CacheSelection) -> [String] {
        pools.indices.flatMap { pools[$0].remove(selection) }
    }

    private func place(of key: String) -> Int {
        let key = EntryKey(key)
        return places[key.kind] ?? places[key.family] ?? pools.count - 1
    }
}
