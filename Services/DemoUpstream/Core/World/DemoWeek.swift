import Domain

/// A week of openings, Monday to Sunday, counted from the epoch: the unit in which the demo's films come into being.
struct DemoWeek: Hashable, Sendable {
    let number: Int

    init(number: Int) {
        self.number = number
    }

    init(of day: Day) {
        let monday = day.daysSinceEpoch - (day.weekday - 1)
        // Day 0 of the epoch was a Thursday, so every Monday is 4 past a multiple of seven.
        number = (monday - 4) / 7
    }

    /// ISO 8601's year and week as KOBIS's `yearWeekTime` has them, "201152": those of the week's Thursday.
    var yearAndWeek: String {
        let thursday = day(4)
        let year = thursday.components.year
        let dayOfYear = thursday.days(since: Day(year: year, month: 1, day: 1) ?? thursday)
        let week = dayOfYear / 7 + 1
        return "\(year)\(week < 10 ? "0" : "")\(week)"
    }

    /// The day of this week with that ISO weekday.
    func day(_ weekday: Int) -> Day {
        Day(daysSinceEpoch: number * 7 + 4 + weekday - 1)
    }
}
