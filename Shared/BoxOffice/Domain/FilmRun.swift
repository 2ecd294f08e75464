/// What the last of some daily charts with a film says about its run.
///
/// Figures that need every day of the run (its peak, its days, its milestones) are unknown: a cache has some days only.
public struct FilmRun: Codable, Sendable, Equatable {
    /// Of the chart that the figures are from.
    public let lastDay: Day
    /// Up to that day.
    public let audienceTotal: Int
    /// On that day: admissions per screen, and won per admission; nil when the divisor is 0.
    public let audiencePerScreen: Double?
    public let averagePrice: Double?

    private enum CodingKeys: CodingKey {
        case knownDays, chartDays, firstDay, lastDay, peakRank, peakAudience, longestStreak, audiencePerScreen
        case averagePrice, audienceTotal, milestones
    }

    /// Nil when none of the charts contains the film.
    ///
    /// - Parameter charts: in any order; only daily charts of the whole country count.
    public init?(of code: String, in charts: [Chart]) {
        let days = charts.filter { $0.selection == .daily($0.selection.days.lowerBound) }
        let run = days.compactMap { chart in
            chart.entries.first { $0.code == code }.map { (day: chart.selection.days.lowerBound, entry: $0) }
        }
        guard let last = run.max(by: { $0.day < $1.day }) else { return nil }
        lastDay = last.day
        audienceTotal = last.entry.audienceTotal
        audiencePerScreen = Self.ratio(Double(last.entry.audience), Double(last.entry.screens))
        averagePrice = Self.ratio(Double(last.entry.salesAmount), Double(last.entry.audience))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        lastDay = try container.decode(Day.self, forKey: .lastDay)
        audienceTotal = try container.decode(Int.self, forKey: .audienceTotal)
        audiencePerScreen = try container.decodeIfPresent(Double.self, forKey: .audiencePerScreen)
        averagePrice = try container.decodeIfPresent(Double.self, forKey: .averagePrice)
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for key: CodingKeys in [
            .knownDays, .chartDays, .firstDay, .peakRank, .peakAudience, .longestStreak, .milestones,
        ] {
            try container.encodeNil(forKey: key)
        }
        try container.encode(lastDay, forKey: .lastDay)
        try container.encode(audiencePerScreen, forKey: .audiencePerScreen)
        try container.encode(averagePrice, forKey: .averagePrice)
        try container.encode(audienceTotal, forKey: .audienceTotal)
    }

    /// The ratio, rounded to two decimals.
    private static func ratio(_ dividend: Double, _ divisor: Double) -> Double? {
        divisor > 0 ? (dividend / divisor * 100).rounded() / 100 : nil
    }
}
