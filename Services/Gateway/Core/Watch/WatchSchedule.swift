import BoxOffice

/// When somebody who watches a chart has to look at it again, unless an event comes first.
struct WatchSchedule: Sendable {
    /// After an answer without a chart, and never sooner.
    static let retry: Duration = .seconds(10)

    /// Whether the day is yesterday in Seoul, which is another after midnight there; false for a day that was named.
    let rollsOver: Bool

    /// - Parameters:
    ///   - now: Unix time in seconds.
    ///   - freshFor: seconds that the chart is still fresh for; nil when there is no chart.
    func wait(now: Double, freshFor: Int?) -> Duration {
        guard let freshFor else { return Self.retry }
        let untilStale: Duration = max(Self.retry, .seconds(freshFor))
        return rollsOver ? min(untilStale, Self.untilMidnight(now)) : untilStale
    }

    /// Seoul is nine hours ahead, all year.
    private static func untilMidnight(_ now: Double) -> Duration {
        let intoDay = (now + 9 * 3600).truncatingRemainder(dividingBy: 86_400)
        // A little after it, so that the day is surely another.
        return .seconds(86_400 - intoDay) + .milliseconds(100)
    }
}
