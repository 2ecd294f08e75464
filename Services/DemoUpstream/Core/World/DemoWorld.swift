import BoxOffice

/// The demo's whole box office as a pure value: two worlds of one seed are the same film for film, on every machine.
///
/// Nothing is stored. A day is computed from the cohorts of films that opened in the weeks around it, so any date answers
/// at once and the charts of neighbouring days still agree with each other.
struct DemoWorld: Sendable {
    /// How many weeks back a film may have opened and still be shown; covers `DemoFilmKind.lengths`.
    static let longestRunInWeeks = 13
    /// How many weeks ahead a film may open and already have previews.
    static let earliestPreviewInWeeks = 1

    let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    func films(openingIn week: DemoWeek) -> [DemoFilm] {
        var random = SplitMix64(seed: seed, week.number)
        let count = random.number(in: 8...11)
        return (0..<count).map { DemoFilm(id: .init(week: week.number, slot: $0), worldSeed: seed) }
    }

    /// The film of that code, whenever it opens, or nil when this world has no such film.
    func film(code: String) -> DemoFilm? {
        guard let id = DemoFilm.id(ofCode: code) else { return nil }
        return films(openingIn: DemoWeek(number: id.week)).first { $0.id == id && $0.code == code }
    }

    /// All films with an audience that day, best first.
    func ranking(on day: Day, of filter: ChartFilter = .everything) -> DemoRanking {
        let week = DemoWeek(of: day).number
        let weeks = (week - Self.longestRunInWeeks)...(week + Self.earliestPreviewInWeeks)
        let openings = weeks.flatMap { films(openingIn: DemoWeek(number: $0)) }
        return DemoRanking(of: openings.filter(filter.admits), on: day)
    }

    /// The list that KOBIS publishes: the first rows of the day's ranking, each compared with the day before.
    func chart(on day: Day, of filter: ChartFilter = .everything, rows: Int = 10) -> DemoChart {
        let today = ranking(on: day, of: filter)
        let before = ranking(on: day.advanced(by: -1), of: filter)
        return DemoChart(day: day, rows: today.places.prefix(rows).map { DemoChartRow($0, in: today, after: before) })
    }
}
