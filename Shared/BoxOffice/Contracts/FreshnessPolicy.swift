public import Domain
public import Envelope

/// How long each kind of part is fresh, and how long each kind of failure is stored.
///
/// KOBIS corrects the chart of a day on the next morning, and the chart of a week until the morning after its last day:
/// a chart is provisional until noon in Seoul of the day after its last day.
public struct FreshnessPolicy: Sendable {
    public var provisionalChart: Duration = .seconds(10 * 60)
    public var yesterdaysChart: Duration = .seconds(6 * 3600)
    public var settledChart: Duration = .seconds(30 * 86_400)
    public var detail: Duration = .seconds(86_400)
    /// A page of the catalogue; films are added every day.
    public var search: Duration = .seconds(6 * 3600)
    /// An empty page; a matching film may be added later.
    public var emptyResult: Duration = .seconds(10 * 60)
    public var poster: Duration = .seconds(7 * 86_400)
    public var posterImage: Duration = .seconds(7 * 86_400)
    /// A substitute image; the better image may become available.
    public var substituteImage: Duration = .seconds(3600)
    /// Failures that concern the requested item, not the connection to the upstream.
    public var failures: [FailureCode: Duration] = [
        .notPublished: .seconds(5 * 60), .notFound: .seconds(10 * 60), .empty: .seconds(10 * 60),
        .noHits: .seconds(3600), .noImage: .seconds(5 * 60),
    ]

    public init() {}

    /// - Parameter now: Unix time in seconds.
    public func chart(of selection: ChartSelection, now: Double) -> Duration {
        let untilSettled = settlingTime(of: selection) - now
        // Not beyond the moment at which it settles: the next request then gets the final chart.
        guard untilSettled <= 0 else { return min(provisionalChart, .seconds(untilSettled.rounded(.up))) }
        let today = Day.inSeoul(secondsSinceEpoch: now)
        return selection.days.upperBound >= today.advanced(by: -1) ? yesterdaysChart : settledChart
    }

    /// Whether the chart is still corrected, or its last day is not over.
    public func isProvisional(_ selection: ChartSelection, now: Double) -> Bool {
        now < settlingTime(of: selection)
    }

    /// The same when it was fetched: a copy of a provisional chart stays provisional.
    ///
    /// - Parameter age: seconds since its fetch; nil for a new one.
    public func wasProvisional(_ selection: ChartSelection, age: Int?, now: Double) -> Bool {
        isProvisional(selection, now: now - Double(age ?? 0))
    }

    /// Unix time in seconds of noon in Seoul on the day after the chart's last day.
    public func settlingTime(of selection: ChartSelection) -> Double {
        Double(selection.days.upperBound.daysSinceEpoch + 1) * 86_400 + (12 - 9) * 3600
    }
}
