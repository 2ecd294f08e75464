extension Day {
    /// The first day that KOBIS has a chart of (source: upstream documentation, section 1.2).
    public static let firstChart = Day(daysSinceEpoch: 12_367)

    /// The day it is in Seoul, whatever the zone of this machine. Korea is UTC+9 all year, without summer time since 1988.
    ///
    /// - Parameter secondsSinceEpoch: Unix time in seconds.
    public static func inSeoul(secondsSinceEpoch: Double) -> Day {
        Day(daysSinceEpoch: Int(((secondsSinceEpoch + 9 * 3600) / 86_400).rounded(.down)))
    }
}
