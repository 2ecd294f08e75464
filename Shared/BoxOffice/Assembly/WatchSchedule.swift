internal import Envelope

/// When a watched chart is fetched again, unless an event comes first.
public struct WatchSchedule: Sendable {
    private let rollsOver: Bool

    /// - Parameter rollsOver: Whether the day is yesterday in Seoul, which changes at midnight there; false for a day
    ///   that the user named.
    public init(rollsOver: Bool) {
        self.rollsOver = rollsOver
    }

    /// The outcome of the last answer.
    public enum Outcome: Sendable, Equatable {
        /// A complete answer, fresh for this many seconds.
        case complete(freshFor: Int)
        case partial
        /// No chart, for this number of answers in a row.
        case nothing(times: Int)
    }

    /// - Parameter now: Unix time in seconds.
    public func wait(now: Double, after outcome: Outcome) -> Duration {
        let wait: Duration =
            switch outcome {
            case .complete(let freshFor): max(AssemblyTiming.watchRetry, .seconds(freshFor))
            case .partial: AssemblyTiming.longestWatchRetry
            case .nothing(let times):
                min(AssemblyTiming.longestWatchRetry, AssemblyTiming.watchRetry * (1 << min(max(times - 1, 0), 10)))
            }
        return rollsOver ? min(wait, Self.untilMidnight(now)) : wait
    }

    /// Seoul is at UTC+9 all year.
    private static func untilMidnight(_ now: Double) -> Duration {
        let intoDay = (now + 9 * 3600).truncatingRemainder(dividingBy: 86_400)
        // A margin after midnight, so that the day has surely changed.
        return .seconds(86_400 - intoDay) + .milliseconds(100)
    }
}

extension WatchSchedule.Outcome {
    /// - Parameter last: of the answer before.
    init(_ answer: Result<ShowAssembly, Failure>, before last: Self) {
        let failuresBefore = if case .nothing(let times) = last { times } else { 0 }
        self =
            switch answer {
            case .success(let assembly) where assembly.chart.value != nil:
                assembly.isComplete ? .complete(freshFor: assembly.chart.cache?.ttl ?? 0) : .partial
            case .success, .failure: .nothing(times: failuresBefore + 1)
            }
    }
}
