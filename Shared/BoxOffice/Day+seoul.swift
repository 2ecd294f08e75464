extension Day {
    /// The first day for which KOBIS has a chart.
    public static let firstChart = Day(daysSinceEpoch: 12_367)

    /// The day in Seoul, independent of this machine's time zone. Korea is UTC+9, without summer time since 1988.
    ///
    /// - Parameter secondsSinceEpoch: Unix time in seconds.
    public static func inSeoul(secondsSinceEpoch: Double) -> Day {
        Day(daysSinceEpoch: Int(((secondsSinceEpoch + 9 * 3600) / 86_400).rounded(.down)))
    }
}
