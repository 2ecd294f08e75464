/// The figures of one film from the daily charts of some days; days without a chart are unknown.
///
/// A film that is not among the ten of a day is missing; its admissions of that day are unknown.
public struct FilmRun: Codable, Sendable, Equatable {
    /// A maximum and its day.
    public struct Best: Codable, Sendable, Equatable {
        public let date: Day
        public let value: Int

        public init(date: Day, value: Int) {
            self.date = date
            self.value = value
        }
    }

    /// A total of admissions, and the first known day by which it was reached.
    public struct Milestone: Codable, Sendable, Equatable {
        public let admissions: Int
        public let by: Day
        /// Whether the total of the day before is known and was lower.
        public let isExact: Bool
    }

    /// The number of days with a chart.
    public let knownDays: Int
    /// The number of these days on which the film was among the ten.
    public let chartDays: Int
    public let firstDay: Day
    public let lastDay: Day
    /// The highest rank, and its first day.
    public let peakRank: Best
    /// The most admissions of a day.
    public let peakAudience: Best
    /// The longest run of consecutive known days at number one; 0 when there is none.
    public let longestStreak: Int
    /// On the last day: admissions per screen, and won per admission; nil when the divisor is 0.
    public let audiencePerScreen: Double?
    public let averagePrice: Double?
    /// As of the last day.
    public let audienceTotal: Int
    public let milestones: [Milestone]

    /// The totals that count as milestones.
    static let celebrated = [100_000, 500_000, 1_000_000, 2_000_000, 3_000_000, 5_000_000, 10_000_000]

    /// Nil when none of the charts contains the film.
    ///
    /// - Parameter charts: Daily charts of the whole country, for all known days.
    public init?(of code: String, in charts: [Chart]) {
        let days = charts.filter { $0.selection == .daily($0.selection.days.lowerBound) }
            .sorted { $0.selection.days.lowerBound < $1.selection.days.lowerBound }
        let run = days.compactMap { chart in
            chart.entries.first { $0.code == code }.map { (day: chart.selection.days.lowerBound, entry: $0) }
        }
        guard let first = run.first, let last = run.last,
            let peak = run.min(by: { ($0.entry.rank, $0.day) < ($1.entry.rank, $1.day) }),
            let fullest = run.max(by: { ($0.entry.audience, $1.day) < ($1.entry.audience, $0.day) })
        else { return nil }
        knownDays = days.count
        chartDays = run.count
        firstDay = first.day
        lastDay = last.day
        peakRank = Best(date: peak.day, value: peak.entry.rank)
        peakAudience = Best(date: fullest.day, value: fullest.entry.audience)
        longestStreak = Self.longestStreak(run.filter { $0.entry.rank == 1 }.map(\.day))
        audiencePerScreen = Self.ratio(Double(last.entry.audience), Double(last.entry.screens))
        averagePrice = Self.ratio(Double(last.entry.salesAmount), Double(last.entry.audience))
        audienceTotal = last.entry.audienceTotal
        milestones = Self.milestones(run.map { ($0.day, $0.entry.audienceTotal) })
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(knownDays, forKey: .knownDays)
        try container.encode(chartDays, forKey: .chartDays)
        try container.encode(firstDay, forKey: .firstDay)
        try container.encode(lastDay, forKey: .lastDay)
        try container.encode(peakRank, forKey: .peakRank)
        try container.encode(peakAudience, forKey: .peakAudience)
        try container.encode(longestStreak, forKey: .longestStreak)
        try container.encode(audiencePerScreen, forKey: .audiencePerScreen)
        try container.encode(averagePrice, forKey: .averagePrice)
        try container.encode(audienceTotal, forKey: .audienceTotal)
        try container.encode(milestones, forKey: .milestones)
    }

    private static func longestStreak(_ days: [Day]) -> Int {
        var longest = 0
        var current = 0
        var previous: Day?
        for day in days {
            current = previous.map { day.days(since: $0) == 1 } == true ? current + 1 : 1
            longest = max(longest, current)
            previous = day
        }
        return longest
    }

    /// The ratio, rounded to two decimals.
    private static func ratio(_ dividend: Double, _ divisor: Double) -> Double? {
        divisor > 0 ? (dividend / divisor * 100).rounded() / 100 : nil
    }

    private static func milestones(_ totals: [(day: Day, total: Int)]) -> [Milestone] {
        celebrated.compactMap { admissions in
            guard let place = totals.firstIndex(where: { $0.total >= admissions }) else { return nil }
            let isExact = place > 0 && totals[place].day.days(since: totals[place - 1].day) == 1
            return Milestone(admissions: admissions, by: totals[place].day, isExact: isExact)
        }
    }
}
