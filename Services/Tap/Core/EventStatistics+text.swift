internal import EventLog
import MessageBus
import ProcessKit
public import TerminalText

extension EventStatistics {
    /// Width in columns of the figures of a row, for large figures.
    private static let figuresWidth = 54

    /// The figures as two tables, rows with the most answers first.
    ///
    /// - Parameter size: available columns and lines; nil for no limit.
    public func lines(_ style: TextStyle, size: (columns: Int, lines: Int)? = nil) -> [String] {
        let room = size.map { (columns: $0.columns, lines: max(3, ($0.lines - 4) / 2)) }
        let kindRows = table(head: "KIND", kinds, size: room) { _ in nil }
        let left = size.map { (columns: $0.columns, lines: max(3, $0.lines - kindRows.count - 4)) }
        let instanceRows = table(head: "INSTANCE", instances, size: left, share)
        return [headline(style), ""] + painted(kindRows, style) + [""] + painted(instanceRows, style)
    }

    private func headline(_ style: TextStyle) -> String {
        let seconds = span.map { Double($0.upperBound - $0.lowerBound) / 1_000_000 } ?? 0
        var words = ["\(events.withSeparators) events in \(Int(seconds * 10).tenths) s"]
        words.append(lost == 0 ? "none lost" : style.red("lost \(lost.withSeparators)"))
        if let hits {
            words.append("cache hits \(percent(hits)) (\(hits.hits.withSeparators) of \(hits.keys.withSeparators))")
        }
        return words.joined(separator: "  ")
    }

    private func table(
        head: String, _ figures: [String: Figures], size: (columns: Int, lines: Int)?,
        _ share: (String) -> Double?
    ) -> [String] {
        let sorted = figures.sorted { ($0.value.answers, $1.key) > ($1.value.answers, $0.key) }
        let height = size?.lines ?? .max
        let shown = sorted.count + 1 > height ? sorted.prefix(height - 2) : sorted[...]
        let nameWidth = size.map { max(12, $0.columns - Self.figuresWidth) } ?? .max
        let isShared = head == "INSTANCE"
        var rows = [[head, "ANSWERS", isShared ? "SHARE" : "PER S", "ERRORS", "p50 ms", "p99 ms", "HITS"]]
        rows += shown.map { name, figures in
            let summary = figures.summary
            return [
                TextWidth.narrow.prefix(name.printable, columns: nameWidth), figures.answers.withSeparators,
                isShared
                    ? share(name).map { "\(Int(($0 * 100).rounded())) %" } ?? "-"
                    : Int((perSecond(figures) * 10).rounded()).tenths,
                figures.errors.withSeparators, summary.p50Microseconds.map(\.tenthsOfMilliseconds) ?? "-",
                summary.p99Microseconds.map(\.tenthsOfMilliseconds) ?? "-",
                figures.lookup.keys > 0 ? percent(figures.lookup) : "-",
            ]
        }
        let more = sorted.count - shown.count
        let lines = TextTable.lines(rows) + (more > 0 ? ["… and \(more) more"] : [])
        return size.map { size in lines.map { TextWidth.narrow.prefix($0, columns: size.columns) } } ?? lines
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
