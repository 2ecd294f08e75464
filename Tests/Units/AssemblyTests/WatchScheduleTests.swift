import Contracts
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

    @Test func `only an event about a part of the answer counts`() throws {
        func event(_ kind: String, _ key: String? = nil) -> Event {
            Event(at: 0, kind: kind, source: "cache-store/1", attributes: key.map { ["key": .text($0)] } ?? [:])
        }
        var watch = ChartWatch(rollsOver: false)
        let selection = ChartSelection.daily(Samples.date)
        let keys = [ChartRequest(selection, isRefresh: false).cacheKey, FilmPart.poster.cacheKey(code: "20199882")]
        let answer = ShowAssembly(selection, chart: Samples.ok(try Samples.chart("경관의 피")), codes: ["20199882"])
        let isNew = (1...2).map { _ in watch.take(.success(answer), to: selection, now: Samples.now) }
        #expect(isNew == [true, false])
        for key in keys { #expect(watch.mayChange(after: event("cache.put.answered", key)), "\(key)") }
        #expect(!watch.mayChange(after: event("cache.put.answered", FilmPart.poster.cacheKey(code: "20200001"))))
        #expect(!watch.mayChange(after: event("cache.get.answered", keys[0])))
        // A part is missing.
        #expect(watch.mayChange(after: event(EventKind.workerJoined.rawValue)))
        watch.forgetContent()
        let isNewAgain = watch.take(.success(answer), to: selection, now: Samples.now)
        #expect(isNewAgain)
    }
}
