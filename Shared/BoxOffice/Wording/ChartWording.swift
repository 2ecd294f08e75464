public import Domain
public import Localization

/// The texts of a chart: its title, its days, and the period of its figures.
public struct ChartWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    public func title(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("박스오피스", "Box office")
        case .weekly: language("주간 박스오피스", "Weekly box office")
        case .weekend: language("주말 박스오피스", "Weekend box office")
        case .weekdays: language("주중 박스오피스", "Weekday box office")
        }
    }

    /// The days that a chart adds up.
    public func kind(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("일별", "daily")
        case .weekly: language("주간", "weekly")
        case .weekend: language("주말", "weekend")
        case .weekdays: language("주중", "weekdays")
        }
    }

    /// A day with its weekday, or the first and the last day.
    public func days(_ days: ClosedRange<Day>) -> String {
        let (first, last) = (days.lowerBound, days.upperBound)
        return first == last ? "\(first) \(weekday(first))" : "\(first) ~ \(last)"
    }

    /// A day in words: "2022년 1월 5일 수요일", "Wednesday, 5 January 2022".
    public func longDay(_ day: Day) -> String {
        let (year, month, number) = day.components
        return language(
            "\(year)년 \(month)월 \(number)일 \(weekday(day))",
            "\(weekday(day)), \(number) \(Self.monthNames[month - 1]) \(year)")
    }

    /// Days in words: "2022년 1월 7일 ~ 9일", "7–9 January 2022".
    public func longDays(_ days: ClosedRange<Day>) -> String {
        let (first, last) = (days.lowerBound.components, days.upperBound.components)
        guard days.count > 1 else { return longDay(days.lowerBound) }
        let (from, to) = (Self.monthNames[first.month - 1], Self.monthNames[last.month - 1])
        if (first.year, first.month) == (last.year, last.month) {
            return language(
                "\(first.year)년 \(first.month)월 \(first.day)일 ~ \(last.day)일",
                "\(first.day)–\(last.day) \(to) \(last.year)")
        }
        let isOneYear = first.year == last.year
        return language(
            "\(first.year)년 \(first.month)월 \(first.day)일 ~ \(isOneYear ? "" : "\(last.year)년 ")\(last.month)월 \(last.day)일",
            "\(first.day) \(from)\(isOneYear ? "" : " \(first.year)") – \(last.day) \(to) \(last.year)")
    }

    /// A day without its year: "1월 4일 (화)", "Tue 4 Jan".
    public func shortDay(_ day: Day) -> String {
        let (_, month, number) = day.components
        let weekday = weekday(day)
        return language(
            "\(month)월 \(number)일 (\(weekday.prefix(1)))",
            "\(weekday.prefix(3)) \(number) \(Self.monthNames[month - 1].prefix(3))")
    }

    /// Days without their year: "1월 3–9일", "27 Dec – 2 Jan".
    public func shortDays(_ days: ClosedRange<Day>) -> String {
        let (first, last) = (days.lowerBound.components, days.upperBound.components)
        let (from, to) = (Self.monthNames[first.month - 1].prefix(3), Self.monthNames[last.month - 1].prefix(3))
        return first.month == last.month
            ? language("\(first.month)월 \(first.day)–\(last.day)일", "\(first.day)–\(last.day) \(to)")
            : language(
                "\(first.month)월 \(first.day)일–\(last.month)월 \(last.day)일",
                "\(first.day) \(from) – \(last.day) \(to)")
    }

    /// "2022년 1월", "January 2022".
    public func month(_ month: Month) -> String {
        language("\(month.year)년 \(month.number)월", "\(Self.monthNames[month.number - 1]) \(month.year)")
    }

    /// "2022년", "2022".
    public func year(_ year: Int) -> String { language("\(year)년", "\(year)") }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// How much of a week or weekend is over; nil for one that is, and for a day.
    ///
    /// - Parameter yesterday: the last day with a chart.
    public func progress(_ days: ClosedRange<Day>, until yesterday: Day) -> String? {
        guard days.count > 1, days.contains(yesterday), yesterday < days.upperBound else { return nil }
        let over = yesterday.days(since: days.lowerBound) + 1
        return language("\(days.count)일 중 \(over)일", "\(over) of \(days.count) days")
    }

    public func weekday(_ day: Day) -> String {
        language(
            ["월", "화", "수", "목", "금", "토", "일"][day.weekday - 1] + "요일",
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][day.weekday - 1])
    }

    /// Whether KOBIS still corrects the chart.
    public func state(isProvisional: Bool) -> String {
        isProvisional ? language("잠정", "provisional") : language("확정", "settled")
    }

    /// What is known of a chart.
    public func state(_ state: ChartState) -> String {
        switch state {
        case .settled, .provisional: self.state(isProvisional: state == .provisional)
        case .empty: language("상영작 없음", "no films")
        case .notPublished: language("발표 전", "not published yet")
        case .failed: language("가져오기 실패", "could not be fetched")
        case .unknown: language("가져온 적 없음", "never fetched")
        }
    }

    /// Nil for the whole chart.
    public func filter(_ filter: ChartFilter) -> String? {
        let nation = filter.nation.map { nation in
            switch nation {
            case .korean: language("한국영화", "Korean films")
            case .foreign: language("외국영화", "foreign films")
            }
        }
        let diversity = filter.diversity.map { diversity in
            switch diversity {
            case .diverse: language("다양성영화", "diversity films")
            case .commercial: language("상업영화", "commercial films")
            }
        }
        let words = [filter.region.map { language($0.korean, $0.english) }, nation, diversity].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }

    /// When a chart or a film was fetched, to the minute in Seoul; and the same in the form of RFC 3339.
    ///
    /// - Parameter time: Unix time in seconds; times before 1970 count as 1970.
    public func fetched(at time: Double) -> (text: String, machine: String) {
        let (day, clock) = clock(at: time)
        return (
            language("\(day.iso) \(clock) 기준", "as of \(day.iso) \(clock) KST"),
            "\(day.iso)T\(clock):00+09:00"
        )
    }

    /// A moment to the minute in Seoul.
    ///
    /// - Parameter milliseconds: since 1970.
    public func minute(_ milliseconds: Int64) -> String {
        let (day, clock) = clock(at: Double(milliseconds) / 1000)
        return "\(day) \(clock)"
    }

    /// - Parameter time: Unix time in seconds; times before 1970 count as 1970.
    private func clock(at time: Double) -> (day: Day, clock: String) {
        let minute = Int(max(0, time) + 9 * 3600) / 60 % (24 * 60)
        let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return (Day.inSeoul(secondsSinceEpoch: max(0, time)), clock)
    }

    /// The period over which a film's audience is counted.
    public func period(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("당일", "day")
        case .weekly: language("주간", "week")
        case .weekend: language("주말", "weekend")
        case .weekdays: language("주중", "weekdays")
        }
    }

    /// The change of a film's admissions in percent, "+12%"; nil for a film that was not ranked the day before.
    public func change(_ entry: ChartEntry) -> String? {
        guard entry.presence != .new, entry.audienceChangePercent.isFinite else { return nil }
        // External data may contain any number.
        let percent = Int(min(max(entry.audienceChangePercent, -100), 99_999).rounded())
        return percent > 0 ? "+\(percent.withSeparators)%" : percent < 0 ? "−\(-percent)%" : "0%"
    }

    /// A day of a film's release: the opening day is "D+0", the day before "D-1".
    public func release(_ day: Int) -> String { day < 0 ? "D\(day)" : "D+\(day)" }

    /// "신작", "▲3", "▼1", "-": the text is clear without colour.
    public func movement(_ movement: Movement) -> String {
        switch movement {
        case .new: language("신작", "NEW")
        case .up(let ranks): "▲\(ranks)"
        case .down(let ranks): "▼\(ranks)"
        case .same: "-"
        }
    }
}
