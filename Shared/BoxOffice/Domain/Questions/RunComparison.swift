/// The runs of several films side by side.
public struct RunComparison: Sendable {
    /// What puts the films' days beside each other.
    public enum Axis: String, Sendable, CaseIterable {
        /// Days since the release.
        case release
        case date
    }

    /// A line: a day of each film, as far as it is known.
    public struct Line: Sendable, Equatable {
        /// Days since the release, or days since 1970.
        public let position: Int
        /// In the order of the films; nil where no row tells the total at the end of that day.
        public let totals: [Int?]

        /// By how much the first film leads the second one; nil where one of them is not known.
        public var difference: Int? {
            guard totals.count > 1, let first = totals[0], let second = totals[1] else { return nil }
            return first &- second
        }
    }

    /// The days until a total, for each film.
    public struct Milestone: Sendable, Equatable {
        public let audience: Int
        /// Days since the release, in the order of the films; nil for a film that has not reached it, or whose day is not
        /// known.
        public let days: [Int?]
        /// The day on which each film reached it, at the latest.
        public let dates: [FilmRun.Milestone?]
    }

    public let runs: [FilmRun]
    public let axis: Axis

    /// Nil by release when a film has no opening day.
    public init?(_ runs: [FilmRun], by axis: Axis) {
        guard axis == .date || runs.allSatisfy({ $0.openingDay != nil }) else { return nil }
        self.runs = runs
        self.axis = axis
    }

    /// From the first day with a row of any of the films until the last one.
    public var lines: [Line] {
        let totals = runs.map(totals)
        let positions = Set(totals.flatMap(\.keys)).sorted()
        return positions.map { position in Line(position: position, totals: totals.map { $0[position] }) }
    }

    /// The totals of the present run: of its rows, and of the days before them.
    private func totals(_ run: FilmRun) -> [Int: Int] {
        var totals: [Int: Int] = [:]
        for line in run.lines {
            let (day, total): (Day, Int)
            switch line {
            case .row(let row, _): (day, total) = (row.day, row.entry.audienceTotal)
            case .proven(let proven): (day, total) = (proven.date, proven.audienceTotal)
            case .band: continue
            }
            guard day >= run.firstDay.advanced(by: -1) else { continue }
            let position = axis == .date ? day.daysSinceEpoch : run.presentDay(day)
            if let position { totals[position] = total }
        }
        return totals
    }

    /// Those that at least one of the films has reached.
    public var milestones: [Milestone] {
        let reached = runs.map { run in
            Dictionary(run.milestones.map { ($0.audience, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return Set(reached.flatMap(\.keys)).sorted().map { audience in
            let dates = reached.map { $0[audience] }
            let days = zip(runs, dates).map { run, milestone in
                milestone.flatMap { $0.isExact ? run.dayOfRelease($0.date) : nil }
            }
            return Milestone(audience: audience, days: days, dates: dates)
        }
    }
}

extension FilmRun {
    /// Days since the present release; nil without an opening day.
    fileprivate func presentDay(_ day: Day) -> Int? {
        guard let openingDay else { return nil }
        return day.days(since: isRerelease ? firstDay : openingDay)
    }
}
