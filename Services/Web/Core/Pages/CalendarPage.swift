import Domain
import Localization
import Wording

/// A month: each day and week with a chart is a link, and days whose chart is stored are marked.
struct CalendarPage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// - Parameters:
    ///   - stored: the days of the month whose charts are stored.
    ///   - how: the link to how the query was answered.
    func html(_ month: Month, stored: Set<Day>, how: PageLink?) -> [UInt8] {
        let title = language("\(month.year)년 \(month.number)월", "\(Self.names[month.number - 1]) \(month.year)")
        let kind = language("박스오피스 달력", "Box office calendar")
        let date = min(max(month.firstDay, .firstChart), frame.yesterday)
        return frame.page(
            PageHead(address: .calendar(month), title: title, description: "\(kind), \(title)", date: date),
            """
            <div class="head"><p class="kind">\(kind)</p><h1>\(title)</h1></div>
            \(arrows(month, date))<table class="calendar"><caption>\(title)</caption>
            <thead><tr><th scope="col">\(language("주", "Week"))</th>\(month.weeks[0].days.map(head))</tr></thead>
            <tbody>
            \(month.weeks.map { row($0, month, stored) })</tbody></table>
            <p class="legend"><span class="dot" aria-hidden="true"></span> \(language("저장된 차트", "Stored charts"))</p>
            \(frame.how(how))
            """)
    }

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private func arrows(_ month: Month, _ date: Day) -> HTML {
        var (previous, next): (HTML?, HTML?)
        if month.previous.days.upperBound >= .firstChart {
            let link = frame.link(.calendar(month.previous), month.previous.iso)
            previous = "<a rel=\"prev\" href=\"\(link.href)\">‹ \(link.text)</a>"
        }
        if month.next.firstDay <= frame.yesterday {
            let link = frame.link(.calendar(month.next), month.next.iso)
            next = "<a rel=\"next\" href=\"\(link.href)\">\(link.text) ›</a>"
        }
        return frame.arrows(
            language("다른 달", "Other months"), previous: previous, next: next, between: frame.dateForm(date))
    }

    private func head(_ day: Day) -> HTML {
        let long = wording.weekday(day)
        let short = language(String(long.prefix(1)), String(long.prefix(3)))
        return "<th scope=\"col\"><abbr title=\"\(long)\">\(short)</abbr></th>"
    }

    private func row(_ week: Week, _ month: Month, _ stored: Set<Day>) -> HTML {
        var name: HTML = "\(String(week.iso.suffix(3)))"
        if hasChart(week.days.lowerBound) || hasChart(week.days.upperBound) {
            let chart = PageAddress.chart(ChartSelection(.weekly, around: week.monday), .list)
            name = "<a href=\"\(frame.href(chart))\">\(name)</a>"
        }
        return "<tr><th scope=\"row\">\(name)</th>\(week.days.map { cell($0, month, stored) })</tr>\n"
    }

    private func cell(_ day: Day, _ month: Month, _ stored: Set<Day>) -> HTML {
        guard month.days.contains(day) else { return "<td class=\"other\"></td>" }
        let number = day.components.day
        guard hasChart(day) else { return "<td>\(number)</td>" }
        let isStored = stored.contains(day)
        let label = wording.days(day...day) + (isStored ? language(", 저장됨", ", stored") : "")
        let style: HTML? = isStored ? " class=\"stored\"" : nil
        return
            "<td\(style)><a href=\"\(frame.href(.chart(.daily(day), .list)))\" aria-label=\"\(label)\">\(number)</a></td>"
    }

    private func hasChart(_ day: Day) -> Bool { .firstChart <= day && day <= frame.yesterday }
}
