import Domain
import Localization
import Wording

/// The links and forms of a chart's page: other charts and layouts, the filters, the button to refresh.
struct ChartControls {
    let frame: PageFrame
    let layout: ChartLayout
    let selection: ChartSelection

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    var html: HTML {
        if frame.isStatic { return arrows }
        return """
            \(arrows)<div class="tools">
            \(tabs(language("기간", "Period"), periods))
            \(tabs(language("보기 방식", "Layout"), layouts))
            <details class="filters"><summary>\(language("필터", "Filters"))</summary>
            <form action="\(plainPath)">
            \(layout == .grid ? "<input type=\"hidden\" name=\"view\" value=\"grid\">" as HTML : nil)\(frame.languageField)
            \(area)\(nation)\(diversity)<button>\(language("적용", "Apply"))</button>
            </form></details>
            <form class="refresh" method="post" action="\(refreshPath)"><button>\(language("새로 고침", "Refresh"))</button></form>
            </div>

            """
    }

    // MARK: Other charts

    /// The chart of this kind, or of another one, around a day; nil when there is none.
    private func chart(_ kind: ChartKind, _ day: Day) -> ChartSelection? {
        let other = ChartSelection(kind, around: day, filter: selection.filter)
        let isThere = other.days.upperBound >= .firstChart && other.days.lowerBound <= frame.yesterday
        return isThere ? other : nil
    }

    /// The charts before and after this one.
    private var arrows: HTML {
        let first = selection.days.lowerBound
        let step = selection.kind == .daily ? 1 : 7
        func link(_ step: Int) -> PageLink? {
            chart(selection.kind, first.advanced(by: step)).map { frame.link(.chart($0, layout), name($0)) }
        }
        return frame.arrows(
            language("다른 날짜", "Other dates"), style: "days arrows",
            previous: link(-step).map { "<a rel=\"prev\" href=\"\($0.href)\">‹<span> \($0.text)</span></a>" },
            next: link(step).map { "<a rel=\"next\" href=\"\($0.href)\"><span>\($0.text) </span>›</a>" },
            between: frame.dateForm(first))
    }

    private func name(_ selection: ChartSelection) -> String {
        selection.kind == .daily ? wording.shortDay(selection.days.lowerBound) : wording.shortDays(selection.days)
    }

    private var periods: [HTML] {
        ChartKind.allCases.compactMap { kind in
            chart(kind, selection.days.lowerBound).map {
                tab(.chart($0, layout), period(kind), isCurrent: kind == selection.kind)
            }
        }
    }

    private var layouts: [HTML] {
        [
            tab(.chart(selection, .list), language("목록", "List"), isCurrent: layout == .list),
            tab(.chart(selection, .grid), language("포스터", "Posters"), isCurrent: layout == .grid),
        ]
    }

    private func tabs(_ name: String, _ tabs: [HTML]) -> HTML {
        "<nav class=\"tabs\" aria-label=\"\(name)\">\(tabs)</nav>"
    }

    private func tab(_ address: PageAddress, _ text: String, isCurrent: Bool) -> HTML {
        let current: HTML? = isCurrent ? " aria-current=\"page\"" : nil
        return "<a href=\"\(frame.href(address))\"\(current)>\(text)</a>"
    }

    private func period(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("일별", "Day")
        case .weekly: language("주간", "Week")
        case .weekend: language("주말", "Weekend")
        case .weekdays: language("주중", "Weekdays")
        }
    }

    // MARK: Forms

    /// Of the same chart without filters.
    private var plainPath: String {
        PageAddress.chart(ChartSelection(selection.kind, around: selection.days.lowerBound), .list).path()
    }

    private var refreshPath: String {
        let query = PageAddress.chart(selection, layout).path().drop { $0 != "?" }
        return frame.localized(plainPath + "/refresh" + query)
    }

    private var area: HTML {
        select(
            "area", language("지역", "Region"), selection.filter.region?.rawValue,
            Region.allCases.map { ($0.rawValue, language($0.korean, $0.english)) })
    }

    private var nation: HTML {
        select(
            "nation", language("국적", "Nation"), selection.filter.nation?.rawValue,
            ChartFilter.Nation.allCases.map { ($0.rawValue, wording.filter(ChartFilter(nation: $0)) ?? "") })
    }

    private var diversity: HTML {
        select(
            "diversity", language("구분", "Kind"), selection.filter.diversity?.rawValue,
            ChartFilter.Diversity.allCases.map { ($0.rawValue, wording.filter(ChartFilter(diversity: $0)) ?? "") })
    }

    private func select(
        _ name: String, _ label: String, _ chosen: String?, _ options: [(value: String, text: String)]
    ) -> HTML {
        let all = [("", language("전체", "All"))] + options.map { ($0.value, $0.text) }
        let choices = all.map { value, text -> HTML in
            let selected: HTML? = value == chosen ?? "" ? " selected" : nil
            return "<option value=\"\(value)\"\(selected)>\(text)</option>"
        }
        return "<label>\(label) <select name=\"\(name)\">\(choices)</select></label>\n"
    }
}
