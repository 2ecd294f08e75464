import Domain
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
    /// Whether KOBIS knows the films: those of a demo are invented.
    var isGenuine = true
    /// Known English titles, by film code: a chart itself has none.
    var englishTitles: [String: String] = [:]

    /// Rank, movement, title, `당일 <day> / 총 <total>`. A narrow terminal keeps `당일 <day>`, a narrower one the figure.
    func list(_ entries: [ChartEntry], of kind: ChartKind = .daily) -> TextTable.Layout {
        let figures = entries.map { $0.audience.withSeparators }
        let day = figures.map { "\(period(kind)) \($0)" }
        let both = zip(day, entries).map { "\($0) / \(language("총", "total")) \($1.audienceTotal.withSeparators)" }
        let audience = TextColumn(
            both.map { TextPiece($0) },
            narrower: [
                TextColumn(day.map { TextPiece($0) }),
                TextColumn(figures.map { TextPiece($0) }, alignment: .trailing),
            ], priority: Priority.figures)
        return TextTable([ranks(entries), movements(entries), titles(entries), audience], elastic: 2)
            .layout(limit: columns, width)
    }

    /// A table with a header: film codes and all figures.
    func wide(_ entries: [ChartEntry], of kind: ChartKind = .daily) -> TextTable.Layout {
        func figures(
            _ korean: String, _ english: String, _ priority: Int, _ text: (ChartEntry) -> String
        ) -> TextColumn {
            TextColumn(
                [TextPiece(language(korean, english), style: style.dim)] + entries.map { TextPiece(text($0)) },
                alignment: .trailing, priority: priority)
        }
        let period = (ko: ChartWording(language: .ko).period(kind), en: ChartWording(language: .en).period(kind))
        let table = [
            ranks(entries, head: true), movements(entries, head: true), titles(entries, head: true),
            figures(period.ko, period.en, 9) { $0.audience.withSeparators },
            figures("누적", "total", 8) { $0.audienceTotal.withSeparators },
            figures("증감", "change", 7) { ($0.audienceChange > 0 ? "+" : "") + $0.audienceChange.withSeparators },
            figures("매출(원)", "sales (won)", 6) { $0.salesAmount.withSeparators },
            figures("점유율", "share", 5) { "\($0.salesShare)%" },
            figures("스크린", "screens", 4) { $0.screens.withSeparators },
            figures("상영", "showings", 3) { $0.showings.withSeparators },
            figures("개봉일", "opened", 2) { $0.openingDay?.iso ?? "-" },
            figures("코드", "code", 1) { $0.code.printable },
        ]
        return TextTable(table, elastic: 2).layout(limit: columns, width)
    }

    /// A narrow terminal first loses the figures, and then the movement.
    private enum Priority {
        static let figures = 1
        static let movement = 10
    }

    /// The name of the period that a film's audience is counted over.
    func period(_ kind: ChartKind) -> String { ChartWording(language: language).period(kind) }

    private func ranks(_ entries: [ChartEntry], head: Bool = false) -> TextColumn {
        TextColumn(
            (head ? [TextPiece("#", style: style.dim)] : []) + entries.map { TextPiece(String($0.rank)) },
            alignment: .trailing, minimum: 3)
    }

    private func movements(_ entries: [ChartEntry], head: Bool = false) -> TextColumn {
        TextColumn((head ? [TextPiece("")] : []) + entries.map(movement), minimum: 4, priority: Priority.movement)
    }

    private func titles(_ entries: [ChartEntry], head: Bool = false) -> TextColumn {
        TextColumn((head ? [TextPiece("")] : []) + entries.map(titlePiece))
    }

    /// The title as text shows it: in English where it is known.
    func title(_ entry: ChartEntry) -> String {
        FilmWording(language: language).title(entry.title, english: englishTitles[entry.code]).printable
    }

    /// The title, which opens the film's page at KOBIS when it is clicked.
    func titlePiece(_ entry: ChartEntry) -> TextPiece {
        TextPiece(title(entry)) { isGenuine ? style.link($0, to: FilmWording.page(code: entry.code)) : $0 }
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
