import BoxOffice
import Localization
import ProcessKit
import TerminalText
import Wording

/// The films of a chart as lines of text: a list, or a table of all figures.
struct ChartText {
    let language: Language
    let style: TextStyle
    var width = TextWidth.narrow
    /// Columns of the terminal; nil without a limit.
    var columns: Int?

    /// Rank, movement, title, `오늘 <day> / 총 <total>`; a narrow terminal drops columns from the end, the title last.
    func list(_ entries: [ChartEntry], of kind: ChartKind = .daily) -> TextColumns.Layout {
        let day = entries.map { "\(period(kind)) \($0.audience.withSeparators)" }
        let both = zip(day, entries).map { "\($0) / \(language("총", "total")) \($1.audienceTotal.withSeparators)" }
        let (rank, movement, title) = (ranks(entries), movements(entries), titles(entries))
        return TextColumns.layout(
            [
                TextColumns([rank, movement, title, TextColumn(both.map { TextPiece($0) })], elastic: 2),
                TextColumns([rank, movement, title, TextColumn(day.map { TextPiece($0) })], elastic: 2),
                TextColumns([rank, movement, title], elastic: 2), TextColumns([rank, title], elastic: 1),
            ], limit: columns, width)
    }

    /// A table with a header; on a narrow terminal columns are dropped from the end.
    func wide(_ entries: [ChartEntry], of kind: ChartKind = .daily) -> TextColumns.Layout {
        func figures(_ korean: String, _ english: String, _ text: (ChartEntry) -> String) -> TextColumn {
            TextColumn(
                [TextPiece(language(korean, english), style: style.dim)] + entries.map { TextPiece(text($0)) },
                alignment: .trailing)
        }
        let fixed = [ranks(entries, head: true), movements(entries, head: true), titles(entries, head: true)]
        let more = [
            figures(ChartWording(language: .ko).period(kind), ChartWording(language: .en).period(kind)) {
                $0.audience.withSeparators
            },
            figures("누적", "total") { $0.audienceTotal.withSeparators },
            figures("증감", "change") { ($0.audienceChange > 0 ? "+" : "") + $0.audienceChange.withSeparators },
            figures("매출(원)", "sales (won)") { $0.salesAmount.withSeparators },
            figures("점유율", "share") { "\($0.salesShare)%" }, figures("스크린", "screens") { $0.screens.withSeparators },
            figures("상영", "showings") { $0.showings.withSeparators },
            figures("개봉일", "opened") { $0.openingDay?.iso ?? "-" },
        ]
        let tables = (0...more.count).reversed().map { TextColumns(fixed + more.prefix($0), elastic: 2) }
        return TextColumns.layout(tables + [TextColumns([fixed[0], fixed[2]], elastic: 1)], limit: columns, width)
    }

    /// The name of the period that a film's audience is counted over.
    func period(_ kind: ChartKind) -> String { ChartWording(language: language).period(kind) }

    private func ranks(_ entries: [ChartEntry], head: Bool = false) -> TextColumn {
        TextColumn(
            (head ? [TextPiece("#", style: style.dim)] : []) + entries.map { TextPiece(String($0.rank)) },
            alignment: .trailing, minimum: 3)
    }

    private func movements(_ entries: [ChartEntry], head: Bool = false) -> TextColumn {
        TextColumn((head ? [TextPiece("")] : []) + entries.map(movement), minimum: 4)
    }

    private func titles(_ entries: [ChartEntry], head: Bool = false) -> TextColumn {
        TextColumn((head ? [TextPiece("")] : []) + entries.map { TextPiece($0.title.printable) })
    }

    /// Colours only the triangle or 신작; the text alone carries the meaning.
    func movement(_ entry: ChartEntry) -> TextPiece {
        let text = ChartWording(language: language).movement(entry.movement)
        return switch entry.movement {
        case .new: TextPiece(text, style: style.red)
        case .up: TextPiece(text) { style.red("▲") + $0.dropFirst() }
        case .down: TextPiece(text) { style.blue("▼") + $0.dropFirst() }
        case .same: TextPiece(text)
        }
    }
}
