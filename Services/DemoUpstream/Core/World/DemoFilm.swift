import BoxOffice

/// One film of the generated world, known by the week it opens in and its place among that week's openings.
///
/// A film carries only what a ranking needs; its title, people and posters are derived when somebody asks.
struct DemoFilm: Sendable {
    struct ID: Hashable, Sendable, Comparable {
        let week: Int
        let slot: Int

        static func < (left: ID, right: ID) -> Bool {
            (left.week, left.slot) < (right.week, right.slot)
        }
    }

    let id: ID
    let worldSeed: UInt64
    let kind: DemoFilmKind
    let run: DemoRun
    let isKorean: Bool
    /// Counted as a diversity film (다양성영화), KOBIS's word for small and independent releases.
    let isDiverse: Bool
    private let priceFactor: Double
    private let yearsSinceFirstRelease: Int

    init(id: ID, worldSeed: UInt64) {
        var random = SplitMix64(seed: worldSeed, id.week, id.slot, 1)
        self.id = id
        self.worldSeed = worldSeed
        kind = .drawn(by: &random)
        run = DemoRun(kind: kind, week: DemoWeek(number: id.week), random: &random)
        isKorean = random.happens(0.5)
        isDiverse = kind == .arthouse || kind == .weekendsOnly || (kind == .small && random.happens(0.3))
        priceFactor = random.number(in: 0.9...1.12)
        yearsSinceFirstRelease = random.number(in: 11...38)
    }

    /// The date that KOBIS shows as the opening: of the first release, and none at all for an event screening.
    var releaseDay: Day? {
        switch kind {
        case .undated: nil
        case .rerelease: run.opening.advanced(by: -yearsSinceFirstRelease * 365 - id.slot * 17)
        case .blockbuster, .midsize, .small, .arthouse, .weekendsOnly: run.opening
        }
    }

    /// Won taken on a day: admissions at the day's price, which grows over the years and is rounded as tickets are.
    func sales(on day: Day, admissions: Int) -> Int64 {
        let standard = 6_400 + 190 * (day.components.year - 2003)
        let variation = Double((day.daysSinceEpoch &* 31 &+ id.slot &* 7) % 40) / 1000
        let price = Double(standard) * priceFactor * (0.98 + variation)
        return Int64(Double(admissions) * price / 10) * 10
    }

    /// Everything since the first show, that day included.
    func totals(through day: Day) -> (admissions: Int, sales: Int64) {
        var admissions = run.earlierAdmissions
        var sales = Int64(run.earlierAdmissions) * 4_800
        var current = run.firstDay
        while current <= min(day, run.lastDay) {
            let count = run.admissions(on: current)
            admissions += count
            sales += self.sales(on: current, admissions: count)
            current = current.advanced(by: 1)
        }
        return (admissions, sales)
    }

    /// Screens and showings of a day; a preview gets few, a hit gets about two thousand.
    func screens(on day: Day) -> (screens: Int, showings: Int) {
        let expected = run.expectedAdmissions(on: day)
        let screens = max(1, min(2_600, Int(expected.squareRoot() * 4.4)))
        let showings = Double(screens) * (1 + min(3.8, expected / 18_000))
        return (screens, max(screens, Int(showings)))
    }

    /// A generator for one aspect of this film, independent of all others.
    func random(for aspect: Int) -> SplitMix64 {
        SplitMix64(seed: worldSeed, id.week, id.slot, aspect)
    }
}
