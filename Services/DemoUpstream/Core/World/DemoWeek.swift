import BoxOffice

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

    /// The day of this week with that ISO weekday.
    func day(_ weekday: Int) -> Day {
        Day(daysSinceEpoch: number * 7 + 4 + weekday - 1)
    }
}
