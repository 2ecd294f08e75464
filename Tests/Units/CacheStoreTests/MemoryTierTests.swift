import CacheStoreCore
import Testing

@Suite struct MemoryTierTests {
    private func tier(bytes: Int = 1_000, entries: Int = 10) -> MemoryTier {
        MemoryTier(
            configuration: MemoryTierConfiguration(
                bounds: ["chart": TierBound(bytes: bytes, entries: entries)],
                otherBound: TierBound(bytes: 200, entries: 10)))
    }

    @Test func `the least recently used entry is evicted first`() {
        var tier = tier(bytes: 300)
        for key in ["chart?1", "chart?2", "chart?3"] { tier.insert(.sample(key)) }
        #expect(tier.entry(for: "chart?1") != nil)
        #expect(tier.insert(.sample("chart?4")) == .stored(evicted: 1))
        #expect(tier.peek("chart?2") == nil)
        #expect(tier.peek("chart?1") != nil)
    }

    @Test func `a peek does not count as a use`() {
        var tier = tier(bytes: 200)
        tier.insert(.sample("chart?1"))
        tier.insert(.sample("chart?2"))
        _ = tier.peek("chart?1")
        tier.insert(.sample("chart?3"))
        #expect(tier.peek("chart?1") == nil)
        #expect(tier.statistics["chart"]?.hits == 0)
    }

    @Test(arguments: [(999, 9), (1_000, 10), (1_001, 10)])
    func `bytes are bounded`(bytes: Int, kept: Int) {
        var tier = tier(bytes: bytes, entries: 100)
        for number in 0..<50 { tier.insert(.sample("chart?\(number)")) }
        #expect(tier.statistics["chart"]?.entries == kept)
        #expect(tier.statistics["chart"]?.bytes == kept * 100)
        #expect(tier.statistics["chart"]?.evictions == 50 - kept)
    }

    @Test func `entries are bounded`() {
        var tier = tier(entries: 3)
        for number in 0..<5 { tier.insert(.sample("chart?\(number)")) }
        #expect((0..<5).filter { tier.peek("chart?\($0)") != nil } == [2, 3, 4])
    }

    @Test func `one large entry evicts as many entries as necessary`() {
        var tier = tier(bytes: 500)
        for number in 0..<5 { tier.insert(.sample("chart?\(number)")) }
        #expect(tier.insert(.sample("chart?large", size: 250)) == .stored(evicted: 3))
        #expect(tier.statistics["chart"]?.bytes == 450)
    }

    @Test(arguments: [(1_000, MemoryTier.Insertion.stored(evicted: 0)), (1_001, .refusedTooLarge)])
    func `an entry larger than the bound is refused`(size: Int, insertion: MemoryTier.Insertion) {
        var tier = tier()
        #expect(tier.insert(.sample("chart?1", size: size)) == insertion)
        #expect(tier.statistics["chart"]?.refusals == (insertion == .refusedTooLarge ? 1 : 0))
    }

    @Test func `a refused entry removes the older one`() {
        var tier = tier()
        tier.insert(.sample("chart?1", storedAt: 1))
        #expect(tier.insert(.sample("chart?1", size: 2_000, storedAt: 2)) == .refusedTooLarge)
        #expect(tier.peek("chart?1") == nil)
        #expect(tier.statistics["chart"]?.bytes == 0)
    }

    @Test(arguments: [(9, 5), (10, 6), (11, 6)] as [(Int64, UInt8)])
    func `an entry is replaced unless it is newer`(storedAt: Int64, fill: UInt8) {
        var tier = tier()
        tier.insert(.sample("chart?1", storedAt: 10, fill: 5))
        let insertion = tier.insert(.sample("chart?1", storedAt: storedAt, fill: 6))
        #expect(insertion == (fill == 5 ? .superseded : .stored(evicted: 0)))
        #expect(tier.peek("chart?1")?.value.first == fill)
        #expect(tier.statistics["chart"]?.entries == 1)
    }

    @Test func `a replacement counts the difference in size`() {
        var tier = tier()
        tier.insert(.sample("chart?1", size: 400))
        tier.insert(.sample("chart?1", size: 150))
        #expect(tier.statistics["chart"]?.bytes == 150)
        tier.remove(.key("chart?1"))
        #expect(tier.statistics["chart"]?.bytes == 0)
    }

    @Test func `families do not evict each other`() {
        var tier = tier()
        tier.insert(.sample("chart.daily?1"))
        tier.insert(.sample("chart.weekly?1"))
        for number in 0..<50 { tier.insert(.sample("poster?\(number)")) }
        #expect(tier.statistics["chart"]?.entries == 2)
        #expect(tier.statistics[MemoryTier.otherPool]?.entries == 2)
    }

    @Test func `hits and misses are counted`() {
        var tier = tier()
        tier.insert(.sample("chart?1"))
        _ = tier.entry(for: "chart?1")
        _ = tier.entry(for: "chart?2")
        _ = tier.entry(for: "chart?1")
        #expect(tier.statistics["chart"]?.hits == 2)
        #expect(tier.statistics["chart"]?.misses == 1)
    }
}
