import Domain

/// One film of the generated world, known by the week it opens in and its place among that week's openings.
///
/// A film holds only the values of a ranking; its title, people and posters are derived on request.
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
    func totals(through day: Day, in region: Region?) -> (admissions: Int, sales: Int64) {
        let earlier = Int(Double(run.earlierAdmissions) * (region?.audienceShare ?? 1))
        let taken = takings(during: min(run.firstDay, day)...day, in: region)
        return (earlier + taken.admissions, Int64(earlier) * 4_800 + taken.sales)
    }

    /// Admissions and sales of some days together.
    func takings(during days: ClosedRange<Day>, in region: Region?) -> (admissions: Int, sales: Int64) {
        var taken: (admissions: Int, sales: Int64) = (0, 0)
        for day in shownDays(days) {
            let count = admissions(on: day, in: region)
            taken.admissions += count
            taken.sales += sales(on: day, admissions: count)
        }
        return taken
    }

    /// Screens and showings of some days: the screens of the busiest day, the showings of all.
    func screens(during days: ClosedRange<Day>, in region: Region?) -> (screens: Int, showings: Int) {
        var sum = (screens: 1, showings: 0)
        for day in shownDays(days) {
            let (screens, showings) = screens(on: day, in: region)
            sum = (max(sum.screens, screens), sum.showings + showings)
        }
        return (sum.screens, max(sum.screens, sum.showings))
    }

    /// Those of the days that lie within the run.
    private func shownDays(_ days: ClosedRange<Day>) -> some Sequence<Day> {
        stride(
            from: max(days.lowerBound, run.firstDay), through: min(days.upperBound, run.lastDay), by: 1)
    }

    /// A preview gets few, a hit gets about two thousand.
    private func screens(on day: Day, in region: Region?) -> (screens: Int, showings: Int) {
        let expected = run.expectedAdmissions(on: day) * (region?.audienceShare ?? 1)
        let screens = max(1, min(2_600, Int(expected.squareRoot() * 4.4)))
        let showings = Double(screens) * (1 + min(3.8, expected / 18_000))
        return (screens, max(screens, Int(showings)))
    }

    /// A generator for one aspect of this film, independent of all others.
    func random(for aspect: Int) -> SplitMix64 {
        SplitMix64(seed: worldSeed, id.week, id.slot, aspect)
    }
}

/// The demo's film codes: eight characters like KOBIS's, and yet never the code of a real film.
///
/// A real code begins with the year of production; these begin with 9. The fifth character is a letter for a few films,
/// as in the real "2023C632", so that a client that parses codes as numbers fails with the demo.
extension DemoFilm {
    var code: String {
        let week = padded(id.week, to: 4)
        let slot = padded(id.slot, to: 2)
        var random = random(for: 2)
        let mark = random.happens(0.04) ? random.pick(["A", "C", "F"]) : String(random.number(in: 0...9))
        return "9\(week.prefix(3))\(mark)\(week.suffix(1))\(slot)"
    }

    /// The identity of a code, or nil for one that no film of any demo world can have.
    static func id(ofCode code: String) -> ID? {
        let characters = Array(code.utf8)
        guard characters.count == 8, characters[0] == UInt8(ascii: "9") else { return nil }
        let digits = [1, 2, 3, 5, 6, 7].map { Int(characters[$0]) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let week = digits[..<4].reduce(0) { $0 * 10 + $1 }
        return ID(week: week, slot: digits[4] * 10 + digits[5])
    }
}

private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension DemoFilm {
    /// The record of this film as it stands on `today`: a film that has not opened yet is "개봉예정".
    func detail(today: Day) -> DemoDetail {
        var random = random(for: 4)
        let sketch = DetailSketch(
            code: code, title: title, isKorean: isKorean, releaseDay: releaseDay,
            isReleased: run.opening <= today, hasGaps: true)
        return sketch.detail(&random)
    }
}
