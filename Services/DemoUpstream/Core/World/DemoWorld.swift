import Domain

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

    /// All films with an audience in these days, best first.
    func ranking(during days: ClosedRange<Day>, of filter: ChartFilter = .everything) -> DemoRanking {
        let first = DemoWeek(of: days.lowerBound).number - Self.longestRunInWeeks
        let last = DemoWeek(of: days.upperBound).number + Self.earliestPreviewInWeeks
        let openings = (first...last).flatMap { films(openingIn: DemoWeek(number: $0)) }
        return DemoRanking(of: openings.filter(filter.admits), during: days, in: filter.region)
    }

    /// The list that KOBIS publishes: the first rows of the ranking, each compared with the day or the week before.
    ///
    /// - Parameter lastPublished: no day after it is counted; a chart that begins after it is empty.
    func chart(_ selection: ChartSelection, lastPublished: Day, rows: Int = 10) -> DemoChart {
        let days = selection.days
        guard days.lowerBound >= .firstChart, days.lowerBound <= lastPublished else {
            return DemoChart(kind: selection.kind, days: days, rows: [])
        }
        let step = selection.kind == .daily ? -1 : -7
        let counted = days.lowerBound...min(days.upperBound, lastPublished)
        let earlier = days.lowerBound.advanced(by: step)...days.upperBound.advanced(by: step)
        let now = ranking(during: counted, of: selection.filter)
        let before = ranking(during: earlier, of: selection.filter)
        let places = now.places.prefix(rows)
        return DemoChart(
            kind: selection.kind, days: counted, rows: places.map { DemoChartRow($0, in: now, after: before) })
    }
}
