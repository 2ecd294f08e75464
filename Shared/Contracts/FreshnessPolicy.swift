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
    /// A page of the catalogue, to which films are added every day.
    public var search: Duration = .seconds(6 * 3600)
    /// One on which nothing was found, perhaps not yet.
    public var emptyResult: Duration = .seconds(10 * 60)
    public var poster: Duration = .seconds(7 * 86_400)
    public var posterImage: Duration = .seconds(7 * 86_400)
    /// An image that stands for a better one, which may be there again.
    public var substituteImage: Duration = .seconds(3600)
    /// Failures that say something of the thing asked for, and none of the way to it.
    public var failures: [FailureCode: Duration] = [
        .notPublished: .seconds(5 * 60), .notFound: .seconds(10 * 60), .empty: .seconds(10 * 60),
        .noHits: .seconds(3600), .noImage: .seconds(5 * 60),
    ]

    public init() {}

    /// - Parameter now: Unix time in seconds.
    public func chart(of selection: ChartSelection, now: Double) -> Duration {
        let untilSettled = settles(selection) - now
        // Not beyond the moment at which it settles: whoever asks next then gets the final one.
        guard untilSettled <= 0 else { return min(provisionalChart, .seconds(untilSettled.rounded(.up))) }
        let today = Day.inSeoul(secondsSinceEpoch: now)
        return selection.days.upperBound >= today.advanced(by: -1) ? yesterdaysChart : settledChart
    }

    /// Whether the chart is still being corrected, or its last day is not over.
    public func isProvisional(_ selection: ChartSelection, now: Double) -> Bool {
        now < settles(selection)
    }

    /// Unix time in seconds of noon in Seoul on the day after the chart's last.
    private func settles(_ selection: ChartSelection) -> Double {
        Double(selection.days.upperBound.daysSinceEpoch + 1) * 86_400 + (12 - 9) * 3600
    }
}
