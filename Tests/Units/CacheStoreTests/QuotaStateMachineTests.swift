import CacheStoreMachine
import Domain
import Testing

@Suite struct QuotaStateMachineTests {
    /// Unix time of 2026-11-21T00:00 in Seoul.
    private static let midnight = 1_795_186_800.0
    private static let hour = 3600.0

    private let kobis = QuotaAccount(upstream: "KOBIS", key: "0badcafe")
    private let kakao = QuotaAccount(upstream: "Kakao", key: "0badcafe")
    private var quota = QuotaStateMachine()

    @Test func `the constant is midnight in Seoul`() {
        #expect(Day.inSeoul(secondsSinceEpoch: Self.midnight).iso == "2026-11-21")
        #expect(Day.inSeoul(secondsSinceEpoch: Self.midnight - 0.001).iso == "2026-11-20")
    }

    @Test mutating func `each account has its own calls, up to its limit`() {
        for _ in 0..<3 { #expect(take() == .granted) }
        #expect(take() == .refused && take() == .refused)
        #expect(quota.take(kakao, limit: 3, now: Self.midnight) == .granted)
        #expect(quota.balances[kobis]?.used == 3 && quota.balances[kobis]?.left == 0)
        #expect(quota.balances[kakao]?.used == 1 && quota.balances[kakao]?.left == 2)
    }

    @Test mutating func `a reserve is left for takes without one`() {
        func take(reserve: Int) -> QuotaStateMachine.Decision {
            quota.take(kobis, limit: 5, reserve: reserve, now: Self.midnight)
        }
        #expect((0..<3).map { _ in take(reserve: 3) } == [.granted, .granted, .reserved])
        #expect((0..<2).map { _ in take(reserve: 2) } == [.granted, .reserved])
        #expect((0..<3).map { _ in take(reserve: 0) } == [.granted, .granted, .refused])
        #expect(take(reserve: 3) == .refused)
    }

    @Test mutating func `the count restarts at midnight in Seoul`() {
        for _ in 0..<4 { _ = take(at: 24 * Self.hour - 0.001) }
        #expect(take(at: 24 * Self.hour - 0.001) == .refused)
        #expect(quota.balances[kobis]?.resetsAt == Self.midnight + 24 * Self.hour)
        #expect(quota.balances(now: Self.midnight + 24 * Self.hour)[kobis]?.used == 0)
        #expect(take(at: 24 * Self.hour) == .granted)
        #expect(quota.balances[kobis]?.used == 1)
    }

    @Test mutating func `a clock that steps back over midnight does not reset the count`() {
        for _ in 0..<3 { _ = take(at: 1) }
        #expect(take(at: -1) == .refused)
        #expect(take(at: 2) == .refused)
    }

    @Test mutating func `a clock that was once far ahead does not block the account until then`() {
        for _ in 0..<3 { _ = take(at: 30 * 24 * Self.hour) }
        #expect(take(at: 30 * 24 * Self.hour) == .refused)
        #expect(take(at: 0) == .granted)
        #expect(quota.balances[kobis]?.day.iso == "2026-11-21")
    }

    @Test func `an earlier store's count of the same day is added`() {
        let today = Day.inSeoul(secondsSinceEpoch: Self.midnight)
        var quota = QuotaStateMachine()
        _ = quota.take(kobis, limit: 9, now: Self.midnight)
        _ = quota.take(kakao, limit: 9, now: Self.midnight)
        quota.restore([
            kobis: QuotaBalance(day: today, used: 5, limit: 9, exhaustedAt: 7),
            kakao: QuotaBalance(day: today.advanced(by: -1), used: 5, limit: 9),
        ])
        #expect(quota.balances[kobis]?.used == 6 && quota.balances[kobis]?.exhaustedAt == 7)
        #expect(quota.balances[kakao]?.used == 1)
    }

    @Test mutating func `calls that were not counted are counted with the next take`() {
        #expect(take(uncounted: 2) == .granted)
        #expect(quota.balances[kobis]?.used == 3)
        #expect(take(uncounted: 5) == .refused)
        #expect(quota.balances[kobis]?.used == 8 && quota.balances[kobis]?.left == 0)
    }

    @Test mutating func `a changed limit applies from the next take on`() {
        _ = take()
        #expect(take(limit: 1) == .refused)
        #expect(take(limit: 2) == .granted)
        #expect(quota.balances[kobis]?.limit == 2)
    }

    @Test mutating func `after a refusal by the upstream only one probe an hour is granted`() {
        quota.exhausted(kobis, limit: 100, now: Self.midnight)
        #expect(quota.balances[kobis]?.left == 0)
        #expect(take(limit: 100, at: Self.hour - 0.001) == .refused)
        #expect(take(limit: 100, at: Self.hour) == .granted, "the probe")
        #expect(take(limit: 100, at: Self.hour + 1) == .refused, "one at a time")
        quota.exhausted(kobis, limit: 100, now: Self.midnight + Self.hour + 2)
        #expect(take(limit: 100, at: Self.hour + 60) == .refused)
        #expect(take(limit: 100, at: 2 * Self.hour + 1.999) == .refused)
        #expect(take(limit: 100, at: 2 * Self.hour + 2) == .granted)
    }

    @Test mutating func `a probe without a refusal makes the upstream available again`() {
        quota.exhausted(kobis, limit: 100, now: Self.midnight)
        _ = take(limit: 100, at: Self.hour)
        #expect(take(limit: 100, at: Self.hour + QuotaStateMachine.probeTime) == .granted)
        #expect(quota.balances[kobis]?.exhaustedAt == nil)
        #expect(take(limit: 100, at: Self.hour + QuotaStateMachine.probeTime) == .granted)
    }

    @Test mutating func `a refusal by the upstream ends at midnight`() {
        quota.exhausted(kobis, limit: 100, now: Self.midnight + 24 * Self.hour - 1)
        #expect(take(limit: 100, at: 24 * Self.hour) == .granted)
        #expect(take(limit: 100, at: 24 * Self.hour) == .granted)
    }

    @Test mutating func `a probe counts as a call and is refused beyond the limit`() {
        for _ in 0..<3 { _ = take() }
        quota.exhausted(kobis, limit: 3, now: Self.midnight)
        #expect(take(at: Self.hour) == .refused)
    }

    private mutating func take(
        limit: Int = 3, uncounted: Int = 0, at seconds: Double = 0
    ) -> QuotaStateMachine.Decision {
        quota.take(kobis, limit: limit, uncounted: uncounted, now: Self.midnight + seconds)
    }
}
