import CacheStoreMachine

/// The entries that share one bound in memory; the least recently used are evicted first.
struct MemoryPool: Sendable {
    let bound: TierBound
    private(set) var statistics = TierStatistics()
    private var entries = RecencyList<String, CacheEntry>()

    init(bound: TierBound) {
        self.bound = bound
    }

    mutating func entry(for key: String) -> CacheEntry? {
        let entry = entries.use(key)
        if entry == nil { statistics.misses += 1 } else { statistics.hits += 1 }
        return entry
    }

    func peek(_ key: String) -> CacheEntry? {
        entries.peek(key)
    }

    mutating func insert(_ entry: CacheEntry, at now: Int64) -> MemoryTier.Insertion {
        if let held = entries.peek(entry.key), entry.isSuperseded(by: held.storedAt, at: now) { return .superseded }
        let size = entry.size
        guard size <= bound.bytes, bound.entries > 0 else {
            statistics.refusals += 1
            // Otherwise the next reader would get the older entry, although a newer one is known.
            remove(entry.key)
            return .refusedTooLarge
        }
        let before = entries.set(entry, for: entry.key)
        statistics.bytes += size - (before?.size ?? 0)
        let evicted = evict()
        statistics.entries = entries.count
        return .stored(evicted: evicted)
    }

    mutating func remove(_ key: String) {
        guard let removed = entries.remove(key) else { return }
        statistics.bytes -= removed.size
        statistics.entries = entries.count
    }

    mutating func remove(_ selection: CacheSelection) -> [String] {
        let keys = entries.keysFromOldest.filter(selection.includes)
        for key in keys { remove(key) }
        return keys
    }

    private mutating func evict() -> Int {
        var evicted = 0
        while statistics.bytes > bound.bytes || entries.count > bound.entries, let oldest = entries.oldest {
            entries.remove(oldest.key)
            statistics.bytes -= oldest.value.size
            evicted += 1
        }
        statistics.evictions += evicted
        return evicted
    }
}
