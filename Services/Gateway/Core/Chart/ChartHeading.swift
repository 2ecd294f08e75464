import BoxOffice
import Localization
import TerminalText
import Wording

/// The heading of a chart.
struct ChartHeading {
    let language: Language
    let style: TextStyle
    var width = TextWidth.narrow
    /// Columns of the terminal; nil without a limit.
    var columns: Int?

    /// The days of the chart and whether it is provisional: the title of every chart.
    func line(_ selection: ChartSelection, isProvisional: Bool) -> String {
        let wording = ChartWording(language: language)
        let (title, days) = (wording.title(selection.kind), wording.days(selection.days))
        // A name and two dates may exceed a narrow terminal.
        let isWide = columns.map { width.columns("\(title) \(days)") > $0 } ?? false
        let words =
            (isWide ? [title, days] : ["\(title) \(days)"]) + [wording.filter(selection.filter)].compactMap(\.self)
        let state = TextPiece("\(wording.state(isProvisional: isProvisional)) · KOBIS", style: style.dim)
        return (words.map { TextPiece($0) } + [state]).joined(columns: columns, indent: 0, width)
    }
}
