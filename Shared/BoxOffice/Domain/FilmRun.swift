/// A film's days in the daily charts, as far as they are known, and what follows from them.
///
/// A chart has ten films: on a known day without a row the film was outside the ten, which is not 0 admissions. A day that is
/// not known may have a row.
public struct FilmRun: Sendable, Equatable {
    /// After more days without a row, what follows is another run: a re-release.
    public static let longestGap = 60

    /// In the order of the days; at least one.
    public let rows: [FilmDay]
    /// The days from before the first row until after the last one whose charts are not known, in order.
    public let unknown: [ClosedRange<Day>]
    /// The indices of the rows of each run.
    private let runs: [Range<Int>]

    /// Nil without a row, and unless each day follows the one before it: a message may have them in any order.
    ///
    /// - Parameter rows: of one film.
    public init?(_ rows: [FilmDay], unknown: [ClosedRange<Day>]) {
        guard !rows.isEmpty, zip(rows, rows.dropFirst()).allSatisfy({ $0.day < $1.day }) else { return nil }
        self.rows = rows
        self.unknown = unknown
        let starts = rows.indices.filter { $0 == 0 || rows[$0].day.days(since: rows[$0 - 1].day) > Self.longestGap }
        runs = zip(starts, starts.dropFirst() + [rows.count]).map { $0..<$1 }
    }

    public var code: String { rows[rows.count - 1].entry.code }
    public var title: String { rows[rows.count - 1].entry.title }
    /// Of the first release.
    public var openingDay: Day? { rows.last { $0.entry.openingDay != nil }?.entry.openingDay }

    // MARK: The present run

    /// The rows of the latest run.
    public var present: ArraySlice<FilmDay> { rows[runs[runs.count - 1]] }
    public var firstDay: Day { present[present.startIndex].day }
    public var last: FilmDay { rows[rows.count - 1] }
    public var isRerelease: Bool { isRerelease(runs.count - 1) }

    /// The number of days on which the present run may have a row that is not known, also after its last row.
    public var unknownDays: Int { unknownDays(in: span) }

    /// The days on which the present run may have a row.
    public var span: ClosedRange<Day> {
        // Before a re-release there is a gap, and not its beginning.
        let first = isRerelease ? firstDay : min(firstDay, openingDay ?? firstDay)
        return first...max(last.day, unknown.last?.upperBound ?? last.day)
    }

    /// Whether every day of it is known: what is said to be the most needs that.
    public var isWhole: Bool { unknownDays == 0 }

    public var peakRank: Int? { isWhole ? present.map(\.entry.rank).min() : nil }
    /// The day with the most admissions.
    public var peak: FilmDay? { isWhole ? present.max { $0.entry.audience < $1.entry.audience } : nil }
    /// The number of days at no. 1.
    public var daysAtTop: Int { present.count { $0.entry.rank == 1 } }

    /// The most days at no. 1 in a row; nil while a day is unknown.
    public var longestStreak: Int? {
        guard isWhole else { return nil }
        var (longest, streak, previous) = (0, 0, Day?.none)
        for row in present where row.entry.rank == 1 {
            streak = previous?.advanced(by: 1) == row.day ? streak + 1 : 1
            longest = max(longest, streak)
            previous = row.day
        }
        return longest
    }

    // MARK: Days

    /// Days since the release: 0 on its first day, negative for previews; nil for a film without an opening day.
    ///
    /// A re-release counts from its first day in the ten: KOBIS states the first release only.
    public func dayOfRelease(_ day: Day) -> Int? {
        guard let openingDay else { return nil }
        let run = runs.lastIndex { rows[$0.lowerBound].day <= day } ?? 0
        return day.days(since: isRerelease(run) ? rows[runs[run].lowerBound].day : openingDay)
    }

    private func isRerelease(_ run: Int) -> Bool {
        guard let openingDay else { return false }
        return rows[runs[run].lowerBound].day.days(since: openingDay) > Self.longestGap
    }

    /// Whether the chart of a day is not known.
    public func unknown(_ day: Day) -> Bool { unknown.contains { $0.contains(day) } }

    func unknownDays(in days: ClosedRange<Day>) -> Int {
        unknown.filter { $0.overlaps(days) }.reduce(0) { $0 + $1.clamped(to: days).count }
    }
}

extension FilmRun: Encodable {
    private enum CodingKeys: CodingKey {
        case knownDays, unknownDays, chartDays, firstDay, lastDay, isRerelease, peakRank, peakAudience, peakDay
        case daysAtTop, longestStreak, audiencePerScreen, averagePrice, audienceTotal, milestones
    }

    /// The figures of the present run, without its rows; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(
            last.day.days(since: firstDay) + 1 - unknownDays(in: firstDay...last.day), forKey: .knownDays)
        try container.encode(unknownDays, forKey: .unknownDays)
        try container.encode(present.count, forKey: .chartDays)
        try container.encode(firstDay, forKey: .firstDay)
        try container.encode(last.day, forKey: .lastDay)
        try container.encode(isRerelease, forKey: .isRerelease)
        try container.encode(peakRank, forKey: .peakRank)
        try container.encode(peak?.entry.audience, forKey: .peakAudience)
        try container.encode(peak?.day, forKey: .peakDay)
        try container.encode(daysAtTop, forKey: .daysAtTop)
        try container.encode(longestStreak, forKey: .longestStreak)
        try container.encode(last.audiencePerScreen, forKey: .audiencePerScreen)
        try container.encode(last.averagePrice, forKey: .averagePrice)
        try container.encode(last.entry.audienceTotal, forKey: .audienceTotal)
        try container.encode(milestones, forKey: .milestones)
    }
}
