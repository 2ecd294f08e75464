/// The periods into which a range of days is divided.
public enum ChartPeriod: String, Codable, Sendable, CaseIterable {
    case day
    /// Monday to Sunday.
    case week
    case month, year

    /// The period that contains the day.
    public func days(around day: Day) -> ClosedRange<Day> {
        switch self {
        case .day: return day...day
        case .week: return Week(of: day).days
        case .month: return Month(of: day).days
        case .year:
            let year = day.components.year
            let january = Day(year: year, month: 1, day: 1) ?? day
            return january...max(january, Day(year: year, month: 12, day: 31) ?? day)
        }
    }

    /// The days of a year, as in "2022"; nil for other text.
    public static func year(named text: some StringProtocol) -> ClosedRange<Day>? {
        guard text.utf8.count == 4, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let day = Int(text).flatMap({ Day(year: $0, month: 1, day: 1) })
        else { return nil }
        return ChartPeriod.year.days(around: day)
    }

    /// The periods of a range in order, the first and the last one cut where the range is.
    public func all(in days: ClosedRange<Day>) -> [ClosedRange<Day>] {
        var periods: [ClosedRange<Day>] = []
        var first = days.lowerBound
        while first <= days.upperBound {
            let last = min(self.days(around: first).upperBound, days.upperBound)
            periods.append(first...last)
            guard last < days.upperBound else { break }
            first = last.advanced(by: 1)
        }
        return periods
    }
}
