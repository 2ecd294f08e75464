/// What follows for one film from the daily charts of some days (N9); days of which there is no chart are not known.
///
/// A film beyond the ten of a day is missing from it, which says nothing of how many saw it.
public struct FilmRun: Codable, Sendable, Equatable {
    /// A day and what was best on it.
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
        /// Whether the day before is known not to have reached it.
        public let isExact: Bool
    }

    /// Days whose charts were looked at.
    public let knownDays: Int
    /// Of these, days with the film among the ten.
    public let chartDays: Int
    public let firstDay: Day
    public let lastDay: Day
    /// The highest rank, and its first day.
    public let peakRank: Best
    /// The most admissions of a day.
    public let peakAudience: Best
    /// Days at number one in a row, over days that are all known; 0 when it never was.
    public let longestStreak: Int
    /// On the last day: admissions for each screen, and won for each admission; nil where nothing can be divided.
    public let audiencePerScreen: Double?
    public let averagePrice: Double?
    /// As of the last day.
    public let audienceTotal: Int
    public let milestones: [Milestone]

    /// Totals that people celebrate.
    static let celebrated = [100_000, 500_000, 1_000_000, 2_000_000, 3_000_000, 5_000_000, 10_000_000]

    /// nil when none of the charts has the film.
    ///
    /// - Parameter charts: daily charts of the whole country, of whatever days are known.
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

    /// Every key is there; what is not known is null.
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

    /// To two decimals.
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
