import Domain
import Envelope
import TestSupport
import Testing

@testable import Assembly

@Suite struct WatchScheduleTests {
    /// 2026-11-20T14:59:00Z, a minute before midnight in Seoul.
    private static let beforeMidnight = 1_795_186_740.0

    @Test(
        arguments: [
            (true, .complete(freshFor: 30), 30), (true, .complete(freshFor: 600), 60),
            (false, .complete(freshFor: 600), 600),
            (true, .complete(freshFor: -5), 10), (false, .partial, 600), (false, .nothing(times: 1), 10),
            (false, .nothing(times: 3), 40), (false, .nothing(times: 7), 600), (false, .nothing(times: .max), 600),
        ] as [(Bool, WatchSchedule.Outcome, Int)])
    func `the next fetch is due at staleness or a new day, with growing delay after failures`(
        rollsOver: Bool, outcome: WatchSchedule.Outcome, seconds: Int
    ) {
        let wait = WatchSchedule(rollsOver: rollsOver).wait(now: Self.beforeMidnight, after: outcome)
        #expect(wait >= .seconds(seconds) && wait < .seconds(seconds) + .seconds(1))
    }

    @Test func `after the wait for midnight the day has changed`() {
        let wait = WatchSchedule(rollsOver: true).wait(now: Self.beforeMidnight, after: .complete(freshFor: 1000))
        let after = Self.beforeMidnight + Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18
        let days = [Self.beforeMidnight, after].map { Day.inSeoul(secondsSinceEpoch: $0) }
        #expect(days[1].days(since: days[0]) == 1)
    }

    @Test func `only a revision of the day's own chart counts`() {
        func event(_ kind: String, _ attributes: [String: AttributeValue]) -> Event {
            Event(at: 0, kind: kind, source: "chart-fetcher/1", attributes: attributes)
        }
        #expect(ChartWatcher.isRevision(event("chart.revised", ["chart": "daily 2022-01-05"]), of: Samples.date))
        #expect(!ChartWatcher.isRevision(event("chart.revised", ["chart": "weekly 2022-01-05"]), of: Samples.date))
        #expect(!ChartWatcher.isRevision(event("chart.revised", [:]), of: Samples.date))
        #expect(
            !ChartWatcher.isRevision(event("chart.daily.answered", ["chart": "daily 2022-01-05"]), of: Samples.date))
    }
}
