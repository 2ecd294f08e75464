import Domain
import Localization
import Wording

/// The links and forms of a chart's page: other charts and layouts, the filters, the button to refresh.
struct ChartControls {
    let frame: PageFrame
    let layout: ChartLayout
    let templates: PageTemplates

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// The values of the page's template.
    func values(_ selection: ChartSelection) -> [String: Any] {
        navigation(selection).merging(choices(selection)) { $1 }
    }

    /// The charts before and after, and the other periods and layouts of this one.
    private func navigation(_ selection: ChartSelection) -> [String: Any] {
        let first = selection.days.lowerBound
        let step = selection.kind == .daily ? 1 : 7
        func chart(_ kind: ChartKind, _ day: Day) -> ChartSelection? {
            let other = ChartSelection(kind, around: day, filter: selection.filter)
            let isThere = other.days.upperBound >= .firstChart && other.days.lowerBound <= frame.yesterday
            return isThere ? other : nil
        }
        func name(_ selection: ChartSelection) -> String {
            selection.kind == .daily ? selection.days.lowerBound.iso : Week(of: selection.days.lowerBound).iso
        }
        func link(_ step: Int) -> [String: Any]? {
            chart(selection.kind, first.advanced(by: step)).map { frame.link(.chart($0, layout), name($0)) }
        }
        var values: [String: Any] = [
            "daysLabel": language("다른 날짜", "Other dates"), "periodLabel": language("기간", "Period"),
            "layoutLabel": language("보기 방식", "Layout"),
            "periods": ChartKind.allCases.compactMap { kind in
                chart(kind, first).map { other in
                    tab(.chart(other, layout), period(kind), isCurrent: kind == selection.kind)
                }
            },
            "layouts": [
                tab(.chart(selection, .list), language("목록", "List"), isCurrent: layout == .list),
                tab(.chart(selection, .grid), language("포스터", "Posters"), isCurrent: layout == .grid),
            ],
        ]
        values["previous"] = link(-step)
        values["next"] = link(step)
        return values
    }

    private func tab(_ address: PageAddress, _ text: String, isCurrent: Bool) -> [String: Any] {
        ["href": frame.href(address), "text": text, "current": isCurrent]
    }

    private func period(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("일별", "Day")
        case .weekly: language("주간", "Week")
        case .weekend: language("주말", "Weekend")
        case .weekdays: language("주중", "Weekdays")
        }
    }

    /// The form of the filters, and the button that fetches the chart anew.
    private func choices(_ selection: ChartSelection) -> [String: Any] {
        let plain = ChartSelection(selection.kind, around: selection.days.lowerBound)
        return [
            "filterName": language("필터", "Filters"), "apply": language("적용", "Apply"),
            "action": PageAddress.chart(plain, .list).path(),
            "selects": templates.filters(selection.filter, language) { filterFields(selection.filter) },
            "refresh": frame.localized(
                PageAddress.chart(plain, .list).path() + "/refresh" + Self.query(.chart(selection, layout))),
            "refreshName": language("새로 고침", "Refresh"),
        ]
    }

    private func filterFields(_ filter: ChartFilter) -> [String: Any] {
        func select(
            _ name: String, _ label: String, _ chosen: String?, _ options: [(value: String, text: String)]
        ) -> [String: Any] {
            let all = [("", language("전체", "All"))] + options.map { ($0.value, $0.text) }
            return [
                "name": name, "label": label,
                "options": all.map { value, text in
                    ["value": value, "text": text, "current": value == chosen ?? ""] as [String: Any]
                },
            ]
        }
        return [
            "selects": [
                select(
                    "area", language("지역", "Region"), filter.region?.rawValue,
                    Region.allCases.map { ($0.rawValue, language($0.korean, $0.english)) }),
                select(
                    "nation", language("국적", "Nation"), filter.nation?.rawValue,
                    ChartFilter.Nation.allCases.map { ($0.rawValue, wording.filter(ChartFilter(nation: $0)) ?? "") }),
                select(
                    "diversity", language("구분", "Kind"), filter.diversity?.rawValue,
                    ChartFilter.Diversity.allCases.map {
                        ($0.rawValue, wording.filter(ChartFilter(diversity: $0)) ?? "")
                    }),
            ]
        ]
    }

    /// The query of an address, with its question mark.
    private static func query(_ address: PageAddress) -> String {
        String(address.path().drop { $0 != "?" })
    }
}
