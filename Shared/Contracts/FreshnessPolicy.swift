public import BoxOffice
public import Envelope

/// How long each kind of part is fresh, and how long each kind of failure is remembered, in one table.
///
/// The chart of a day is corrected during the morning after it (upstream documentation, 1.2), and that of a week through
/// its last day: it is provisional until noon in Seoul of the day that follows.
public struct FreshnessPolicy: Sendable {
    public var provisionalChart: Duration = .seconds(10 * 60)
    public var yesterdaysChart: Duration = .seconds(6 * 3600)
    public var settledChart: Duration = .seconds(30 * 86_400)
    public var detail: Duration = .seconds(86_400)
    public var poster: Duration = .seconds(7 * 86_400)
    /// Failures that say something of the thing asked for, and none of the way to it.
    public var failures: [FailureCode: Duration] = [
        .notPublished: .seconds(5 * 60), .notFound: .seconds(10 * 60), .empty: .seconds(3600), .noHits: .seconds(3600),
    ]

    public init() {}

    /// - Parameter now: Unix time in seconds.
    public func chart(of selection: ChartSelection, now: Double) -> Duration {
        if isProvisional(selection, now: now) { return provisionalChart }
        let today = Day.inSeoul(secondsSinceEpoch: now)
        return selection.days.upperBound >= today.advanced(by: -1) ? yesterdaysChart : settledChart
    }

    /// Whether the chart is still being corrected, or its last day is not over.
    public func isProvisional(_ selection: ChartSelection, now: Double) -> Bool {
        let secondsOfDay = (now + 9 * 3600).truncatingRemainder(dividingBy: 86_400)
        let today = Day.inSeoul(secondsSinceEpoch: now)
        let last = selection.days.upperBound
        return last >= today || (last == today.advanced(by: -1) && secondsOfDay < 12 * 3600)
    }
}
