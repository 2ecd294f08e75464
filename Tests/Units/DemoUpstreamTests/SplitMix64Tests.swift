import Testing

@testable import DemoUpstreamCore

@Suite struct SplitMix64Tests {
    /// The first numbers of the reference implementation for this seed.
    @Test func `the generator equals the published one`() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        #expect(random.next() == 9_817_491_932_198_370_423)
    }

    @Test func `numbers reach both ends of their range and no further`() {
        var random = SplitMix64(seed: 3)
        let numbers = (0..<1_000).map { _ in random.number(in: -2...2) }
        #expect(Set(numbers) == [-2, -1, 0, 1, 2])
        #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(random.unit()) })
    }

    @Test func `a pick holds different elements in their order`() {
        var random = SplitMix64(seed: 4)
        for count in 0...6 {
            let chosen = random.pick(count, of: [1, 2, 3, 4])
            #expect(chosen == chosen.sorted() && Set(chosen).count == min(count, 4))
        }
    }
}
