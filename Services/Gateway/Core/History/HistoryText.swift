import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// The editions of a chart as text.
struct HistoryText {
    private let presentation: Presentation
    private var language: Language { presentation.language }

    init(_ presentation: Presentation) {
        self.presentation = presentation
    }

    func lines(_ history: ArchiveEditionsReply, _ selection: ChartSelection) -> [String] {
        let heading = ChartHeading(
            language: language, style: presentation.style, width: presentation.width, columns: presentation.columns
        ).line(selection, isProvisional: history.state == .provisional, source: history.source ?? .upstream)
        var lines = [heading]
        var previous: ArchiveEditionsReply.Edition?
        for edition in history.editions {
            lines += ["", moments(edition)]
            lines += presentation.wrapped(changes(from: previous, to: edition, selection), indent: 4)
            previous = edition
        }
        return lines
    }

    /// When the rows were seen first and last.
    private func moments(_ edition: ArchiveEditionsReply.Edition) -> String {
        let wording = ChartWording(language: language)
        let (first, last) = (wording.minute(edition.firstSeen), wording.minute(edition.lastSeen))
        return first == last ? first : "\(first) ~ \(last)"
    }

    private func changes(
        from previous: ArchiveEditionsReply.Edition?, to edition: ArchiveEditionsReply.Edition,
        _ selection: ChartSelection
    ) -> [String] {
        guard let previous else {
            let films = edition.entries.count
            return ["  " + language("처음 저장됨, 영화 \(films)편", "first seen, \(films) films")]
        }
        let (old, new) = (Chart(selection, entries: previous.entries), Chart(selection, entries: edition.entries))
        guard let revision = ChartRevision(from: old, to: new) else {
            return ["  " + language("누적이나 증감만 정정됨", "only totals or changes were corrected")]
        }
        let titles = Dictionary(
            (previous.entries + edition.entries).map { ($0.code, $0.title.printable) }, uniquingKeysWith: { $1 })
        func title(_ code: String) -> String { titles[code] ?? code.printable }
        let changed = revision.changes.map { change in
            let words = [
                change.audience == 0
                    ? nil : language("관객 \(signed(change.audience))", "admissions \(signed(change.audience))"),
                change.sales == 0
                    ? nil
                    : language(
                        "매출액 \(signed(Int(clamping: change.sales)))원",
                        "sales \(signed(Int(clamping: change.sales))) won"),
                change.ranks == 0
                    ? nil
                    : language(
                        "순위 \(change.ranks > 0 ? "▲" : "▼")\(change.ranks.magnitude)",
                        "rank \(change.ranks > 0 ? "up" : "down") \(change.ranks.magnitude)"),
            ].compactMap(\.self)
            return "  \(title(change.code)): \(words.joined(separator: ", "))"
        }
        return changed + revision.entered.map { "  \(title($0)): " + language("진입", "entered") }
            + revision.left.map { "  \(title($0)): " + language("이탈", "left") }
    }

    private func signed(_ number: Int) -> String { (number > 0 ? "+" : "") + number.withSeparators }
}
