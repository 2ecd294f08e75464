/// A day's chart in three sentences: no. 1 and its lead, what is new, and the ten beside a week before.
public struct ChartBrief: Sendable, Equatable {
    /// A film that passed a total on that day.
    public struct Passed: Sendable, Equatable {
        public let entry: ChartEntry
        public let milestone: Int
    }

    public let day: Day
    /// In the order of their rows; at least one.
    public let entries: [ChartEntry]
    /// The admissions of the ten on the same weekday a week before; nil when that chart is not known.
    public let audienceWeekBefore: Int?

    /// Nil for a chart without films.
    public init?(day: Day, entries: [ChartEntry], weekBefore: [ChartEntry]?) {
        guard !entries.isEmpty else { return nil }
        self.day = day
        self.entries = entries
        audienceWeekBefore = weekBefore.map(Self.audience)
    }

    public var leader: ChartEntry { entries[0] }
    public var second: ChartEntry? { entries.dropFirst().first }
    /// The admissions by which no. 1 leads no. 2.
    public var lead: Int? { second.map { leader.audience &- $0.audience } }

    /// The films that entered the ten and opened at most two weeks before, and those that opened on this day and were
    /// outside the ten before.
    public var new: [ChartEntry] {
        entries.filter { entry in
            entry.presence == .new
                ? !entry.isReentry(on: day) : entry.openingDay == day && entry.rank &+ entry.rankChange > 10
        }
    }
    /// The other ones that entered it.
    public var returned: [ChartEntry] { entries.filter { $0.isReentry(on: day) } }

    /// The highest total that each film passed on this day.
    public var passed: [Passed] {
        entries.compactMap { entry in
            let row = FilmDay(day: day, isProvisional: false, entry: entry)
            let milestone = FilmRun.milestones.last { row.totalBefore < $0 && $0 <= entry.audienceTotal }
            return milestone.map { Passed(entry: entry, milestone: $0) }
        }
    }

    /// Of the ten.
    public var audience: Int { Self.audience(entries) }

    /// Beside a week before, in percent rounded to one decimal.
    public var changePercent: Double? {
        guard let before = audienceWeekBefore, before > 0 else { return nil }
        return ((Double(audience) / Double(before) - 1) * 1000).rounded() / 10
    }

    // A message may contain any number: the sum wraps instead of trapping.
    private static func audience(_ entries: [ChartEntry]) -> Int { entries.reduce(0) { $0 &+ $1.audience } }
}
