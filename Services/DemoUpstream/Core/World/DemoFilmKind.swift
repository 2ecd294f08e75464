/// The kind of a film's run; the mix of kinds makes a day's chart realistic.
enum DemoFilmKind: Sendable, CaseIterable {
    case blockbuster
    case midsize
    case small
    case arthouse
    /// Shown on Saturdays and Sundays only, so it re-enters the ranking as NEW weeks after it opened.
    case weekendsOnly
    /// An old film shown again: its opening date stays decades old and its accumulated audience starts far from zero.
    case rerelease
    /// A festival or event screening that KOBIS has no opening date for (" " on the wire).
    case undated

    static func drawn(by random: inout SplitMix64) -> DemoFilmKind {
        switch random.number(in: 1...100) {
        case 1...5: .blockbuster
        case 6...15: .midsize
        case 16...55: .small
        case 56...73: .arthouse
        case 74...80: .weekendsOnly
        case 81...91: .rerelease
        default: .undated
        }
    }

    /// Admissions of an ordinary day at the opening.
    var strengths: ClosedRange<Double> {
        switch self {
        case .blockbuster: 70_000...360_000
        case .midsize: 4_000...60_000
        case .small: 400...6_000
        case .arthouse: 300...2_400
        case .weekendsOnly: 900...4_500
        case .rerelease: 700...7_000
        case .undated: 800...7_000
        }
    }

    /// The ratio of a day's audience to that of the day before, without the effect of the weekday.
    var decays: ClosedRange<Double> {
        switch self {
        case .blockbuster: 0.925...0.955
        case .midsize: 0.88...0.93
        case .small: 0.89...0.94
        case .arthouse: 0.95...0.975
        case .weekendsOnly: 0.96...0.985
        case .rerelease: 0.88...0.93
        case .undated: 0.7...0.9
        }
    }

    /// Days from the opening to the last show; `DemoWorld.longestRunInWeeks` must cover the longest.
    var lengths: ClosedRange<Int> {
        switch self {
        case .blockbuster: 45...84
        case .midsize: 25...56
        case .small: 12...35
        case .arthouse: 20...42
        case .weekendsOnly: 25...60
        case .rerelease: 6...21
        case .undated: 1...6
        }
    }

    var hasPreviews: Bool {
        switch self {
        case .blockbuster, .midsize, .small: true
        case .arthouse, .weekendsOnly, .rerelease, .undated: false
        }
    }
}
