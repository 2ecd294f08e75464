import Domain
import Envelope
import Localization
import Wording

/// A month: each day with its no. 1, and the ten's admissions as a tint; days without an archived chart are marked.
struct CalendarPage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// The steps of the tint.
    private static let tints = 5

    /// - Parameters:
    ///   - leaders: of the days of the month.
    ///   - failure: why the archive has not answered.
    ///   - how: the link to how the query was answered.
    func html(_ month: Month, _ leaders: [ChartLeader], failure: Failure?, how: PageLink?) -> [UInt8] {
        let title = wording.month(month)
        let days = Dictionary(leaders.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
        let most = leaders.map(\.topAudience).max() ?? 0
        let kind = language("박스오피스 달력", "Box office calendar")
        let date = min(max(month.firstDay, .firstChart), frame.yesterday)
        return frame.page(
            PageHead(
                address: .calendar(month), title: title, description: "\(kind), \(title)", date: date,
                script: frame.assets.keysScript),
            """
            <div class="head"><p class="kind">\(kind)</p><h1>\(title)</h1></div>
            \(frame.notes(failure.map { [VisitorWording(language: language).reason($0)] } ?? []))\(arrows(month, date))<table class="calendar"><caption>\(title)</caption>
            <thead><tr><th scope="col">\(language("주", "Wk"))</th>\(month.weeks[0].days.map(head))</tr></thead>
            <tbody>
            \(month.weeks.map { row($0, month, days, most) })</tbody></table>
            \(legend(most))<p class="links"><a href="\(frame.href(.month(month)))">\(language("이달의 순위", "Films of the month"))</a></p>
            \(frame.how(how))
            """)
    }

    private func arrows(_ month: Month, _ date: Day) -> HTML {
        var (previous, next): (HTML?, HTML?)
        if month.previous.days.upperBound >= .firstChart {
            let link = frame.link(.calendar(month.previous), wording.month(month.previous))
            previous = "<a rel=\"prev\" href=\"\(link.href)\">‹ \(link.text)</a>"
        }
        if month.next.firstDay <= frame.yesterday {
            let link = frame.link(.calendar(month.next), wording.month(month.next))
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

    private func legend(_ most: Int) -> HTML {
        let steps = (1...Self.tints).map { "<span class=\"tint\($0)\"></span>" as HTML }
        let text = language("10위권 관객 합계: 적음", "Admissions of the top 10: low")
        return """
            <p class="legend">\(text) <span class="tints" aria-hidden="true">\(steps)</span> \(language("많음", "high")) (\(most.withSeparators)) · \
            <span class="tints" aria-hidden="true"><span class="unknown"></span></span> \(language("저장된 차트 없음", "no archived chart"))</p>

            """
    }

    private func row(_ week: Week, _ month: Month, _ days: [Day: ChartLeader], _ most: Int) -> HTML {
        var name: HTML = "\(String(week.iso.suffix(3)))"
        if hasChart(week.days.lowerBound) || hasChart(week.days.upperBound) {
            let chart = PageAddress.chart(ChartSelection(.weekly, around: week.monday), .list)
            name = "<a href=\"\(frame.href(chart))\">\(name)</a>"
        }
        return "<tr><th scope=\"row\">\(name)</th>\(week.days.map { cell($0, month, days[$0], most) })</tr>\n"
    }

    private func cell(_ day: Day, _ month: Month, _ leader: ChartLeader?, _ most: Int) -> HTML {
        guard month.days.contains(day) else { return "<td class=\"other\"></td>" }
        let number = day.components.day
        guard hasChart(day) else { return "<td>\(number)</td>" }
        let link = frame.href(.chart(.daily(day), .list))
        guard let leader else {
            let label = wording.days(day...day) + language(", 저장된 차트 없음", ", no archived chart")
            return "<td class=\"unknown\"><a href=\"\(link)\" aria-label=\"\(label)\"><span>\(number)</span></a></td>"
        }
        let total = leader.topAudience.withSeparators
        let short = RunWording(language: language).short(leader.topAudience)
        let title = leader.title ?? language("상영작 없음", "no films")
        let label = language(
            "\(wording.days(day...day)), 1위 \(title), 10위권 \(total)명",
            "\(wording.days(day...day)), no. 1 \(title), top 10 \(total)")
        let tint = max(1, SVG.share(leader.topAudience, of: most, in: Self.tints))
        return """
            <td class="tint\(tint)"><a href="\(link)" aria-label="\(label)"><span>\(number)</span>\
            <span class="title" aria-hidden="true">\(leader.code.map { frame.title(of: $0, title) } ?? "\(title)")</span>\
            <span class="total" aria-hidden="true">\(language("10위권", "top 10")) \(total)\(leader.isProvisional ? "*" : "")</span>\
            <span class="short" aria-hidden="true">\(short)</span></a></td>
            """
    }

    private func hasChart(_ day: Day) -> Bool { .firstChart <= day && day <= frame.yesterday }
}
