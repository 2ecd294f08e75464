import Contracts
import Domain
import Testing

/// The current day is 2026-11-20 in Seoul, which begins at 15:00 UTC on the 19th.
@Suite struct FreshnessPolicyTests {
    /// Unix time of 2026-11-20T00:00 in Seoul.
    private static let midnight = 1_795_100_400.0
    private static let noon = midnight + 12 * 3600

    private let policy = FreshnessPolicy()

    @Test func `the times of this suite have the stated dates`() {
        #expect(Day.inSeoul(secondsSinceEpoch: Self.midnight).iso == "2026-11-20")
        #expect(Day.inSeoul(secondsSinceEpoch: Self.midnight - 0.001).iso == "2026-11-19")
    }

    @Test(
        arguments: [
            // Yesterday's chart is corrected until noon.
            ("2026-11-19", 0, true), ("2026-11-19", 12 * 3600 - 0.001, true), ("2026-11-19", 12 * 3600, false),
            ("2026-11-19", 86_399, false),
            // At midnight the day before becomes the day before that.
            ("2026-11-18", -0.001, false), ("2026-11-18", 0, false), ("2026-11-19", -0.001, true),
            // The charts of today and tomorrow are not yet published.
            ("2026-11-20", 0, true), ("2026-11-20", 86_399, true), ("2026-11-21", 12 * 3600, true),
            ("2003-11-11", 0, false),
        ] as [(String, Double, Bool)])
    func `a chart is provisional until noon of the day after`(date: String, seconds: Double, isProvisional: Bool) throws
    {
        let day = try #require(Day(iso: date))
        #expect(policy.isProvisional(.daily(day), now: Self.midnight + seconds) == isProvisional)
    }

    @Test(
        arguments: [
            ("2026-11-19", 0, .seconds(600)), ("2026-11-19", 42_600, .seconds(600)),
            // Until noon at most.
            ("2026-11-19", 43_140, .seconds(60)), ("2026-11-19", 43_199.999, .seconds(1)),
            ("2026-11-19", 43_200, .seconds(21_600)), ("2026-11-19", 86_399.999, .seconds(21_600)),
            ("2026-11-19", 86_400, .seconds(2_592_000)), ("2026-11-18", 0, .seconds(2_592_000)),
            ("2026-11-18", 43_200, .seconds(2_592_000)), ("2003-11-11", 43_200, .seconds(2_592_000)),
            ("2026-11-20", 43_200, .seconds(600)),
        ] as [(String, Double, Duration)])
    func `a chart is fresh for minutes, then hours, then long`(date: String, seconds: Double, freshFor: Duration) throws
    {
        let day = try #require(Day(iso: date))
        #expect(policy.chart(of: .daily(day), now: Self.midnight + seconds) == freshFor)
    }

    /// 2026-11-20 is a Friday.
    @Test(
        arguments: [
            // The week before ended on Sunday the 15th, and was corrected until Monday noon.
            (.weekly, "2026-11-15", -4, 0, true), (.weekly, "2026-11-15", -4, 12 * 3600 - 0.001, true),
            (.weekly, "2026-11-15", -4, 12 * 3600, false), (.weekend, "2026-11-15", -4, 12 * 3600 - 0.001, true),
            (.weekend, "2026-11-15", -4, 12 * 3600, false),
            // Monday to Thursday: until Friday noon.
            (.weekdays, "2026-11-16", 0, 0, true), (.weekdays, "2026-11-16", 0, 12 * 3600, false),
            (.weekdays, "2026-11-16", -1, 23 * 3600, true),
            // The running week and its weekend are not over.
            (.weekly, "2026-11-16", 0, 23 * 3600, true), (.weekend, "2026-11-16", 0, 23 * 3600, true),
        ] as [(ChartKind, String, Int, Double, Bool)])
    func `a week is provisional until noon after its last day`(
        kind: ChartKind, day: String, days: Int, seconds: Double, isProvisional: Bool
    ) throws {
        let selection = ChartSelection(kind, around: try #require(Day(iso: day)))
        let now = Self.midnight + Double(days) * 86_400 + seconds
        #expect(policy.isProvisional(selection, now: now) == isProvisional)
        #expect((policy.chart(of: selection, now: now) <= policy.provisionalChart) == isProvisional)
    }

    @Test func `a changed duration is used`() throws {
        var policy = FreshnessPolicy()
        policy.provisionalChart = .seconds(1)
        policy.yesterdaysChart = .seconds(2)
        policy.settledChart = .seconds(3)
        let yesterday = try #require(Day(iso: "2026-11-19"))
        #expect(policy.chart(of: .daily(yesterday), now: Self.midnight) == .seconds(1))
        #expect(policy.chart(of: .daily(yesterday), now: Self.noon) == .seconds(2))
        #expect(policy.chart(of: .daily(yesterday.advanced(by: -1)), now: Self.noon) == .seconds(3))
    }
}
