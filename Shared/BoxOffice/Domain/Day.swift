/// A calendar day without time and time zone: "2022-01-05".
///
/// All dates in messages are of this type: the gateway resolves relative days once (in Seoul), and the services receive
/// absolute days. Arithmetic is proleptic Gregorian on a day count, and needs no locale or time zone database.
public struct Day: Hashable, Sendable {
    /// Whole days since 1970-01-01, negative before it.
    public let daysSinceEpoch: Int

    /// The nearest day of the years 1 to 9999, because a file or a clock may contain any number.
    public init(daysSinceEpoch: Int) {
        self.daysSinceEpoch = min(max(-719_162, daysSinceEpoch), 2_932_896)
    }

    /// The day of a calendar date, or nil when there is no such date (2023-02-29).
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Days from civil, after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March,
        // so that the leap day is the last day of the year and month offsets are linear.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(daysSinceEpoch: era * 146_097 + dayOfEra - 719_468)
        guard components == (year, month, day) else { return nil }
    }

    /// Year, month 1...12 and day 1...31.
    public var components: (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// ISO weekday: 1 is Monday, 7 is Sunday.
    public var weekday: Int {
        ((daysSinceEpoch + 3) % 7 + 7) % 7 + 1
    }

    /// The whole days from `other` to this day, positive when this day is later.
    public func days(since other: Day) -> Int {
        daysSinceEpoch - other.daysSinceEpoch
    }
}

/// Allows counting and iterating over a range of days.
extension Day: Strideable {
    public func advanced(by days: Int) -> Day {
        Day(daysSinceEpoch: daysSinceEpoch + days)
    }

    public func distance(to other: Day) -> Int {
        other.daysSinceEpoch - daysSinceEpoch
    }
}

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
