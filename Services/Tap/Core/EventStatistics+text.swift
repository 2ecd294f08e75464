internal import EventLog
public import Localization
import MessageBus
import ProcessKit
public import TerminalText

extension EventStatistics {
    /// Of answers, rate or share, errors, times and hits.
    private static let priorities = [6, 3, 5, 4, 2, 1]

    /// The figures as two tables, rows with the most answers first.
    ///
    /// - Parameter size: available columns and lines; nil for no limit.
    public func lines(
        _ language: Language, _ style: TextStyle, size: (columns: Int, lines: Int)? = nil
    ) -> [String] {
        let room = size.map { (columns: $0.columns, lines: max(3, ($0.lines - 4) / 2)) }
        let kindRows = table(language, kinds, size: room)
        let head = headline(language, style, columns: size?.columns)
        let left = size.map { (columns: $0.columns, lines: max(3, $0.lines - kindRows.count - head.count - 3)) }
        let instanceRows = table(language, instances, size: left, share)
        return head + [""] + painted(kindRows, style) + [""] + painted(instanceRows, style)
    }

    private func headline(_ language: Language, _ style: TextStyle, columns: Int?) -> [String] {
        let seconds = span.map { Double($0.upperBound - $0.lowerBound) / 1_000_000 } ?? 0
        let (count, span) = (events.withSeparators, Int(seconds * 10).tenths)
        var words = [TextPiece(language("\(span)초 동안 이벤트 \(count)개", "\(count) events in \(span) s"))]
        words.append(
            lost == 0
                ? TextPiece(language("놓친 것 없음", "none lost"))
                : TextPiece(
                    language("\(lost.withSeparators)개 놓침", "lost \(lost.withSeparators)"), style: style.red))
        if let hits {
            let (found, keys) = (hits.hits.withSeparators, hits.keys.withSeparators)
            words.append(
                TextPiece(
                    language(
                        "캐시 적중 \(percent(hits)) (\(found)/\(keys))",
                        "cache hits \(percent(hits)) (\(found) of \(keys))")))
        }
        return words.joined(columns: columns, indent: 2).split(separator: "\n").map(String.init)
    }

    /// - Parameter share: of an instance; nil for the table of kinds.
    private func table(
        _ language: Language, _ figures: [String: Figures], size: (columns: Int, lines: Int)?,
        _ share: ((String) -> Double?)? = nil
    ) -> [String] {
        let sorted = figures.sorted { ($0.value.answers, $1.key) > ($1.value.answers, $0.key) }
        let height = size?.lines ?? .max
        let shown = sorted.count + 1 > height ? sorted.prefix(height - 2) : sorted[...]
        let head = [
            share == nil ? language("종류", "KIND") : language("인스턴스", "INSTANCE"), language("응답", "ANSWERS"),
            share == nil ? language("초당", "PER S") : language("비율", "SHARE"), language("오류", "ERRORS"), "p50 ms",
            "p99 ms",
            language("적중", "HITS"),
        ]
        let rows = shown.map { name, figures in
            let summary = figures.summary
            let rate = share.map { $0(name).map { "\(Int(($0 * 100).rounded())) %" } ?? "-" }
            return [
                name.printable, figures.answers.withSeparators,
                rate ?? Int((perSecond(figures) * 10).rounded()).tenths,
                figures.errors.withSeparators, summary.p50Microseconds.map(\.tenthsOfMilliseconds) ?? "-",
                summary.p99Microseconds.map(\.tenthsOfMilliseconds) ?? "-",
                figures.lookup.keys > 0 ? percent(figures.lookup) : "-",
            ]
        }
        let more = sorted.count - shown.count
        return TextTable([head] + rows, priorities: Self.priorities).layout(limit: size?.columns).lines
            + (more > 0 ? [language("… 외 \(more)개", "… and \(more) more")] : [])
    }

    private func painted(_ lines: [String], _ style: TextStyle) -> [String] {
        lines.prefix(1).map(style.bold) + lines.dropFirst()
    }

    private func percent(_ lookup: Exchange.Lookup) -> String {
        "\(Int((Double(lookup.hits) / Double(lookup.keys) * 100).rounded())) %"
    }
}

extension Int {
    /// Tenths as a number with one decimal.
    fileprivate var tenths: String { "\((self / 10).withSeparators).\(self % 10)" }
}
