import Testing

@Suite(.timeLimit(.minutes(1))) struct LeaseWalkTests {
    @Test(arguments: [UInt64](0..<8))
    func `five hundred random schedules violate no invariant`(block: UInt64) {
        var seen: [String: Int] = [:]
        for seed in block * 500..<(block + 1) * 500 {
            var walk = LeaseWalk(seed: seed)
            walk.run(steps: 150)
            guard walk.violations.isEmpty else {
                Issue.record("seed \(seed): \(walk.violations.prefix(3))")
                return
            }
            seen.merge(walk.seen, uniquingKeysWith: +)
        }
        // Outcomes that never occur would not be tested.
        for outcome in [
            "grant", "park", "busy", "share", "fail", "pass", "pass by rank", "takeover", "stale", "abandoned",
        ] {
            #expect(seen[outcome, default: 0] > 100, "too few: \(outcome)")
        }
    }
}
