public import BoxOffice

/// How long each kind of part is fresh, in one table.
///
/// Yesterday's chart is corrected during the morning (upstream documentation, 1.2), so it is provisional until noon KST.
public struct FreshnessPolicy: Sendable {
    public var provisionalChart: Duration = .seconds(10 * 60)
    public var yesterdaysChart: Duration = .seconds(6 * 3600)
    public var settledChart: Duration = .seconds(30 * 86_400)
    public var detail: Duration = .seconds(86_400)
    public var poster: Duration = .seconds(7 * 86_400)

    public init() {}

    /// - Parameter now: Unix time in seconds.
    public func chart(of date: Day, now: Double) -> Duration {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        if isProvisional(date, now: now) { return provisionalChart }
        return date >= today.advanced(by: -1) ? yesterdaysChart : settledChart
    }

    /// Whether the chart of that day is still being corrected.
    public func isProvisional(_ date: Day, now: Double) -> Bool {
        let secondsOfDay = (now + 9 * 3600).truncatingRemainder(dividingBy: 86_400)
        let today = Day.inSeoul(secondsSinceEpoch: now)
        return date >= today || (date == today.advanced(by: -1) && secondsOfDay < 12 * 3600)
    }
}
