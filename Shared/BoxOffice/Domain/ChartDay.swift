/// Why a text does not denote a day with a chart.
public enum ChartDayError: Error, Sendable, Equatable {
    /// The text has no known form of a day.
    case notADay(String)
    /// Today in Seoul.
    case notPublished(Day)
    /// A day before the first chart, or in the future.
    case outOfRange(Day, first: Day, last: Day)
}

extension Day {
    /// The day of the newest possible chart.
    ///
    /// - Parameter secondsSinceEpoch: Unix time.
    public static func yesterdayInSeoul(secondsSinceEpoch: Double) -> Day {
        inSeoul(secondsSinceEpoch: secondsSinceEpoch).advanced(by: -1)
    }

    /// Parses a chart's day in the forms that users write: see `Day.init(written:today:)`.
    ///
    /// - Parameters:
    ///   - text: The day; nil for yesterday in Seoul.
    ///   - now: Unix time in seconds.
    public static func ofChart(_ text: String?, now: Double) throws(ChartDayError) -> Day {
        let today = inSeoul(secondsSinceEpoch: now)
        let yesterday = today.advanced(by: -1)
        guard let text else { return yesterday }
        guard let day = Day(written: text, today: today) else { throw .notADay(text) }
        if day == today { throw .notPublished(day) }
        guard firstChart <= day, day <= yesterday else {
            throw .outOfRange(day, first: firstChart, last: yesterday)
        }
        return day
    }
}
