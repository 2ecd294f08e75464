import Domain
import Localization
import Wording

/// A month: each day and week with a chart is a link, and days whose chart is stored are marked.
struct CalendarPage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// - Parameter stored: the days of the month whose charts are stored.
    func values(_ month: Month, stored: Set<Day>) -> [String: Any] {
        let title = language("\(month.year)년 \(month.number)월", "\(Self.names[month.number - 1]) \(month.year)")
        let kind = language("박스오피스 달력", "Box office calendar")
        var values = frame.values(
            .calendar(month), title: title, description: "\(kind), \(title)",
            date: min(max(month.firstDay, .firstChart), frame.yesterday))
        values["kind"] = kind
        values["caption"] = title
        values["monthsLabel"] = language("다른 달", "Other months")
        values["weekName"] = language("주", "Week")
        values["weekdays"] = month.weeks[0].days.map { day in
            let long = wording.weekday(day)
            return ["long": long, "short": language(String(long.prefix(1)), String(long.prefix(3)))]
        }
        values["weeks"] = month.weeks.map { row($0, month, stored) }
        values["legend"] = language("저장된 차트", "Stored charts")
        if month.previous.days.upperBound >= .firstChart { values["previous"] = link(month.previous) }
        if month.next.firstDay <= frame.yesterday { values["next"] = link(month.next) }
        return values
    }

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private func link(_ month: Month) -> [String: Any] { frame.link(.calendar(month), month.iso) }

    private func row(_ week: Week, _ month: Month, _ stored: Set<Day>) -> [String: Any] {
        var row: [String: Any] = [
            "weekText": String(week.iso.suffix(3)), "days": week.days.map { cell($0, month, stored) },
        ]
        if hasChart(week.days.lowerBound) || hasChart(week.days.upperBound) {
            row["weekHref"] = frame.href(.chart(ChartSelection(.weekly, around: week.monday), .list))
        }
        return row
    }

    private func cell(_ day: Day, _ month: Month, _ stored: Set<Day>) -> [String: Any] {
        guard month.days.contains(day) else { return ["number": "", "dayKind": "other"] }
        var cell: [String: Any] = ["number": day.components.day]
        if hasChart(day) {
            cell["href"] = frame.href(.chart(.daily(day), .list))
            let isStored = stored.contains(day)
            cell["label"] = wording.days(day...day) + (isStored ? language(", 저장됨", ", stored") : "")
            if isStored { cell["dayKind"] = "stored" }
        }
        return cell
    }

    private func hasChart(_ day: Day) -> Bool { .firstChart <= day && day <= frame.yesterday }
}
