import Domain

/// The admissions of a film on each day of its run: opening strength × decay × weekday × season × noise.
///
/// Any day is computed by itself, so a chart of 2014 costs no simulation from 2003. Only `+`, `×` and `√` of IEEE numbers
/// are used, never the C library's `pow`: the same seed gives the same admissions on every machine.
struct DemoRun: Sendable {
    let opening: Day
    let days: Int
    /// Days with shows before the opening, as negative offsets from it.
    let previewOffsets: [Int]
    let weekendsOnly: Bool
    /// Admissions from before this run: a re-release continues the earlier count.
    let earlierAdmissions: Int
    private let strength: Double
    private let decay: Double
    private let previewShare: Double
    private let noiseSeed: UInt64

    var firstDay: Day { opening.advanced(by: previewOffsets.min() ?? 0) }
    var lastDay: Day { opening.advanced(by: days - 1) }

    init(kind: DemoFilmKind, week: DemoWeek, random: inout SplitMix64) {
        // Wednesday is the opening day of Korea ("문화가 있는 날"), Thursday the runner-up.
        opening =
            switch kind {
            case .weekendsOnly: week.day(6)
            case .undated: week.day(random.number(in: 1...7))
            case .blockbuster, .midsize, .small, .arthouse, .rerelease: week.day(random.pick([3, 3, 3, 4, 4, 5]))
            }
        days = random.number(in: kind.lengths)
        weekendsOnly = kind == .weekendsOnly
        earlierAdmissions = kind == .rerelease ? random.number(in: 20_000...2_400_000) : 0
        strength = random.number(in: kind.strengths)
        decay = random.number(in: kind.decays)
        // The eve; a weekend before; both; nearly the whole week before (변칙개봉).
        let previews = [[-1], [-4, -3], [-4, -3, -1], [-6, -5, -4, -3, -2, -1]]
        previewOffsets = kind.hasPreviews && random.happens(0.4) ? random.pick(previews) : []
        previewShare = random.number(in: 0.03...0.2)
        noiseSeed = random.next()
    }

    func admissions(on day: Day) -> Int {
        var noise = SplitMix64(seed: noiseSeed, day.daysSinceEpoch)
        return Int(expectedAdmissions(on: day) * noise.number(in: 0.84...1.16))
    }

    /// The expected admissions without noise, by which a cinema plans its screens.
    func expectedAdmissions(on day: Day) -> Double {
        let age = day.days(since: opening)
        guard age < days else { return 0 }
        let calendar = weekdayFactors[day.weekday - 1] * seasonFactors[day.components.month - 1]
        if age < 0 { return previewOffsets.contains(age) ? strength * previewShare * calendar : 0 }
        if weekendsOnly && day.weekday < 6 { return 0 }
        return strength * power(decay, age) * calendar
    }
}

private let weekdayFactors = [0.45, 0.45, 0.62, 0.52, 0.75, 1.35, 1.2]
private let seasonFactors = [1.2, 1.05, 0.8, 0.75, 0.9, 0.9, 1.2, 1.3, 0.95, 0.95, 0.85, 1.25]

private func power(_ base: Double, _ exponent: Int) -> Double {
    var result = 1.0
    var square = base
    var rest = exponent
    while rest > 0 {
        if rest & 1 == 1 { result *= square }
        square *= square
        rest >>= 1
    }
    return result
}
