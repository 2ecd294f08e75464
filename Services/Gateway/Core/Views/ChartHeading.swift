import BoxOffice
import Envelope
import ServiceKit
import TerminalText

/// A chart as lines of text.
struct ChartText {
    let language: Language
    let style: TextStyle

    /// What the chart is of, and whether it is still being corrected: the title of every chart (F03).
    func header(_ selection: ChartSelection, isProvisional: Bool) -> String {
        let state = isProvisional ? language("잠정", "provisional") : language("확정", "settled")
        let words = ["\(title(selection.kind)) \(days(selection))", part(selection.filter)].compactMap { $0 }
        return "\(words.joined(separator: "  "))   \(style.dim("\(state) · KOBIS"))"
    }

    private func title(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("박스오피스", "Box office")
        case .weekly: language("주간 박스오피스", "Weekly box office")
        case .weekend: language("주말 박스오피스", "Weekend box office")
        case .weekdays: language("주중 박스오피스", "Weekday box office")
        }
    }

    private func days(_ selection: ChartSelection) -> String {
        let (first, last) = (selection.days.lowerBound, selection.days.upperBound)
        guard first == last else { return "\(first) ~ \(last)" }
        let weekday = language(
            ["월", "화", "수", "목", "금", "토", "일"][first.weekday - 1] + "요일",
            ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][first.weekday - 1])
        return "\(first) \(weekday)"
    }

    /// nil for the whole chart.
    private func part(_ filter: ChartFilter) -> String? {
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
        let words = [filter.region.map { language($0.korean, $0.english) }, nation, diversity].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: " · ")
    }

    /// One line a film, titles padded to the same width.
    func rows(_ entries: [ChartEntry], of kind: ChartKind = .daily) -> [String] {
        let titles = entries.map(\.title.printable)
        let titleWidth = titles.map(TextWidth.columns).max() ?? 0
        return zip(entries, titles).map { entry, title in
            let rank = String(repeating: " ", count: max(0, 3 - String(entry.rank).count)) + String(entry.rank)
            let total = language("총", "total")
            return "\(rank)  \(movement(entry))\(TextWidth.padded(title, to: titleWidth))  "
                + "\(period(kind)) \(entry.audience.withSeparators) / \(total) \(entry.audienceTotal.withSeparators)"
        }
    }

    /// What a film's own audience is counted over.
    private func period(_ kind: ChartKind) -> String {
        switch kind {
        case .daily: language("오늘", "today")
        case .weekly: language("주간", "week")
        case .weekend: language("주말", "weekend")
        case .weekdays: language("주중", "weekdays")
        }
    }

    /// Where the second line of a film begins: below its title.
    static let indent = String(repeating: " ", count: 5 + movementWidth)
    private static let movementWidth = 6

    /// Padded by its plain width: colour has none.
    private func movement(_ entry: ChartEntry) -> String {
        let (plain, coloured) =
            switch entry.movement {
            case .new: (language("신작", "NEW"), style.red(language("신작", "NEW")))
            case .up(let ranks): ("▲\(ranks)", style.red("▲") + "\(ranks)")
            case .down(let ranks): ("▼\(ranks)", style.blue("▼") + "\(ranks)")
            case .same: ("-", "-")
            }
        return coloured + String(repeating: " ", count: max(1, Self.movementWidth - TextWidth.columns(plain)))
    }
}
