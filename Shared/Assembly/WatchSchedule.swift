internal import Envelope

/// When a watched chart is asked for again, unless an event comes first.
struct WatchSchedule: Sendable {
    /// Whether the day is yesterday in Seoul, which is another after midnight there; false for a day that was named.
    let rollsOver: Bool

    /// What the last answer held.
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
            case .complete(let freshFor): max(AssemblyTiming.watchRetry, .seconds(freshFor))
            case .partial: AssemblyTiming.watchPatience
            case .nothing(let times):
                min(AssemblyTiming.watchPatience, AssemblyTiming.watchRetry * (1 << min(max(times - 1, 0), 10)))
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

extension WatchSchedule.Found {
    /// - Parameter failuresBefore: answers without a chart in a row before this one.
    init(_ answer: Result<ShowAssembly, Failure>, failuresBefore: Int) {
        self =
            switch answer {
            case .success(let assembly) where assembly.chart.value != nil:
                assembly.isComplete ? .complete(freshFor: assembly.chart.cache?.ttl ?? 0) : .partial
            case .success, .failure: .nothing(times: failuresBefore + 1)
            }
    }
}
