/// The highest figure of a film in a span of days of which every chart is known.
public struct BoxOfficeRecord: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The most admissions on a day, and on an opening day.
        case day, openingDay
        /// The highest sum of a whole week from Monday to Sunday, or of a whole month, on the days in the ten.
        case week, month
        /// The most days at no. 1 in a row.
        case daysAtTop
        /// The fewest days since the opening until a total.
        case fastest
    }

    public let kind: Kind
    /// The total of `fastest`.
    public let milestone: Int?
    public let code: String
    public let title: String
    /// The days that it is about: one day, a week, a month, the days at no. 1, or from the opening until the total.
    public let first: Day
    public let last: Day
    /// Admissions, or days.
    public let value: Int
    /// Whether KOBIS may still correct one of those days.
    public var isProvisional: Bool

    public init(
        _ kind: Kind, milestone: Int? = nil, code: String, title: String, days: ClosedRange<Day>, value: Int,
        isProvisional: Bool = false
    ) {
        self.kind = kind
        self.milestone = milestone
        self.code = code
        self.title = title
        first = days.lowerBound
        last = days.upperBound
        self.value = value
        self.isProvisional = isProvisional
    }

    public var days: ClosedRange<Day> { first...max(first, last) }
}

/// Finds the records of a span: it is given the rows of each day in the order of the days.
///
/// Of equal figures the earlier one counts.
public struct RecordSearch: Sendable {
    /// The totals of the fastest films.
    public static let milestones = [1_000_000, 3_000_000, 5_000_000, 10_000_000]

    /// What is known of a film beside its rows.
    public struct Film: Sendable {
        public let code: String
        public let title: String
        public let openingDay: Day?

        public init(code: String, title: String, openingDay: Day?) {
            self.code = code
            self.title = title
            self.openingDay = openingDay
        }
    }

    private struct Best {
        var value = 0
        var film = 0
        var days: ClosedRange<Int> = 0...0
    }

    private let films: [Film]
    private let span: ClosedRange<Int>
    private let openings: [Int?]
    private var fastest: [Best?]
    // For each film the sum of the week or month with that first day.
    private var weeks: [(start: Int, sum: Int)]
    private var months: [(start: Int, sum: Int)]
    /// The films at no. 1 on the last day, and since when.
    private var leaders: [Int: Int] = [:]
    private var nextLeaders: [Int: Int] = [:]
    private var day = Int.min
    private var week = 0
    private var month = 0...0
    private var (bestDay, bestOpening, bestWeek, bestMonth, bestStreak) = (Best(), Best(), Best(), Best(), Best())

    /// - Parameters:
    ///   - films: rows name a film by its index.
    ///   - span: its days; a week or month that lies only partly in it has no record.
    public init(films: [Film], in span: ClosedRange<Day>) {
        self.films = films
        self.span = span.lowerBound.daysSinceEpoch...span.upperBound.daysSinceEpoch
        openings = films.map { $0.openingDay?.daysSinceEpoch }
        fastest = Self.milestones.map { _ in nil }
        weeks = films.map { _ in (.min, 0) }
        months = weeks
    }

    /// Begins the day after the last one.
    public mutating func begin(_ day: Day) {
        endDay()
        self.day = day.daysSinceEpoch
        week = self.day - (day.weekday - 1)
        if !month.contains(self.day) || month.lowerBound == month.upperBound {
            let days = Month(of: day).days
            month = days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch
        }
    }

    /// A row of the day.
    ///
    /// - Parameter film: an index of the films.
    public mutating func add(film: Int, rank: Int, audience: Int, total: Int) {
        if audience > bestDay.value { bestDay = Best(value: audience, film: film, days: day...day) }
        let opening = openings[film]
        if opening == day, audience > bestOpening.value {
            bestOpening = Best(value: audience, film: film, days: day...day)
        }
        weeks[film] = (week, weeks[film].start == week ? weeks[film].sum &+ audience : audience)
        if weeks[film].sum > bestWeek.value, span.contains(week), span.contains(week + 6) {
            bestWeek = Best(value: weeks[film].sum, film: film, days: week...week + 6)
        }
        let start = month.lowerBound
        months[film] = (start, months[film].start == start ? months[film].sum &+ audience : audience)
        if months[film].sum > bestMonth.value, span.contains(start), span.contains(month.upperBound) {
            bestMonth = Best(value: months[film].sum, film: film, days: month)
        }
        if rank == 1 { nextLeaders[film] = leaders[film] ?? day }
        if total >= Self.milestones[0], let opening, opening <= day { reach(total, total &- audience, film, opening) }
    }

    private mutating func reach(_ total: Int, _ before: Int, _ film: Int, _ opening: Int) {
        for (index, milestone) in Self.milestones.enumerated() where before < milestone && total >= milestone {
            if let best = fastest[index], best.value <= day - opening { continue }
            fastest[index] = Best(value: day - opening, film: film, days: opening...day)
        }
    }

    private mutating func endDay() {
        for (film, since) in nextLeaders where day - since + 1 > bestStreak.value {
            bestStreak = Best(value: day - since + 1, film: film, days: since...day)
        }
        (leaders, nextLeaders) = (nextLeaders, [:])
    }

    /// After the last day.
    public mutating func end() -> [BoxOfficeRecord] {
        endDay()
        let found: [(BoxOfficeRecord.Kind, Best)] = [
            (.day, bestDay), (.openingDay, bestOpening), (.week, bestWeek), (.month, bestMonth),
            (.daysAtTop, bestStreak),
        ]
        return found.filter { $0.1.value > 0 }.map { record($0, nil, $1) }
            + zip(Self.milestones, fastest).compactMap { milestone, best in
                best.map { record(.fastest, milestone, $0) }
            }
    }

    private func record(_ kind: BoxOfficeRecord.Kind, _ milestone: Int?, _ best: Best) -> BoxOfficeRecord {
        BoxOfficeRecord(
            kind, milestone: milestone, code: films[best.film].code, title: films[best.film].title,
            days: Day(daysSinceEpoch: best.days.lowerBound)...Day(daysSinceEpoch: best.days.upperBound),
            value: best.value)
    }
}
