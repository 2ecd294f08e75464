import BoxOffice
import Localization
import TerminalText
import Wording

/// What stands above a chart.
struct ChartHeading {
    let language: Language
    let style: TextStyle
    var width = TextWidth.narrow
    /// Of the terminal; nil for as many as it takes.
    var columns: Int?

    /// What the chart is of, and whether it is still being corrected: the title of every chart.
    func line(_ selection: ChartSelection, isProvisional: Bool) -> String {
        let wording = ChartWording(language: language)
        let (title, days) = (wording.title(selection.kind), wording.days(selection.days))
        // A name and two dates may be too much for a narrow terminal.
        let isWide = columns.map { width.columns("\(title) \(days)") > $0 } ?? false
        let words =
            (isWide ? [title, days] : ["\(title) \(days)"]) + [wording.filter(selection.filter)].compactMap(\.self)
        let state = TextPiece("\(wording.state(isProvisional: isProvisional)) · KOBIS", style: style.dim)
        return (words.map { TextPiece($0) } + [state]).joined(columns: columns, indent: 0, width)
    }
}
