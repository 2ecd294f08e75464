import BoxOffice

/// When somebody who watches a chart has to look at it again, unless an event comes first.
struct WatchSchedule: Sendable {
    /// After an answer without a chart, and twice as long after each further one, up to `patience`: each costs calls.
    static let retry: Duration = .seconds(10)
    /// After an answer that is not complete.
    static let patience: Duration = .seconds(600)

    /// Whether the day is yesterday in Seoul, which is another after midnight there; false for a day that was named.
    let rollsOver: Bool

    /// What a look has found.
    enum Found: Sendable, Equatable {
        /// All of it, fresh for so many seconds.
        case complete(freshFor: Int)
        case partial
        /// No chart, so often in a row.
        case nothing(times: Int)
    }

    /// - Parameter now: Unix time in seconds.
    func wait(now: Double, after found: Found) -> Duration {
        let wait: Duration =
            switch found {
            case .complete(let freshFor): max(Self.retry, .seconds(freshFor))
            case .partial: Self.patience
            case .nothing(let times): min(Self.patience, Self.retry * (1 << min(max(times - 1, 0), 10)))
            }
        return rollsOver ? min(wait, Self.untilMidnight(now)) : wait
    }

    /// Seoul is nine hours ahead, all year.
    private static func untilMidnight(_ now: Double) -> Duration {
        let intoDay = (now + 9 * 3600).truncatingRemainder(dividingBy: 86_400)
        // A little after it, so that the day is surely another.
        return .seconds(86_400 - intoDay) + .milliseconds(100)
    }
}
