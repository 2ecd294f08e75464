import Domain
import Envelope
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

    /// The last day with a chart; nil for a chart whose days are over.
    var yesterday: Day?

    /// The days of the chart, whether it is provisional and where it came from: the title of every chart.
    func line(_ selection: ChartSelection, isProvisional: Bool, source: DataSource) -> String {
        let wording = ChartWording(language: language)
        let (title, days) = (wording.title(selection.kind), wording.days(selection.days))
        // A name and two dates may exceed a narrow terminal.
        let isWide = columns.map { width.columns("\(title) \(days)") > $0 } ?? false
        let words =
            (isWide ? [title, days] : ["\(title) \(days)"]) + [wording.filter(selection.filter)].compactMap(\.self)
        let origin = source.label?(language) ?? "KOBIS"
        let progress = yesterday.flatMap { wording.progress(selection.days, until: $0) }
        let states = [progress, wording.state(isProvisional: isProvisional), origin].compactMap(\.self)
        let state = TextPiece(states.joined(separator: " · "), style: style.dim)
        return (words.map { TextPiece($0) } + [state]).joined(columns: columns, indent: 0, width)
    }
}
