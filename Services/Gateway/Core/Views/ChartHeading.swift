import BoxOffice
import Envelope
import ServiceKit
import TerminalText

/// What stands above a chart.
struct ChartHeading {
    let language: Language
    let style: TextStyle
    var width = TextWidth.narrow
    /// Of the terminal; nil for as many as it takes.
    var columns: Int?

    /// What the chart is of, and whether it is still being corrected: the title of every chart (F03).
    func line(_ selection: ChartSelection, isProvisional: Bool) -> String {
        let state = isProvisional ? language("잠정", "provisional") : language("확정", "settled")
        let (title, days) = (title(selection.kind), days(selection))
        // A name and two dates may be too much for a narrow terminal.
        let isWide = columns.map { width.columns("\(title) \(days)") > $0 } ?? false
        let words = (isWide ? [title, days] : ["\(title) \(days)"]) + [part(selection.filter)].compactMap(\.self)
        let pieces = words.map { TextPiece($0) } + [TextPiece("\(state) · KOBIS", style: style.dim)]
        return pieces.joined(columns: columns, indent: 0, width)
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
}
