import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// A comparison as text: the films, their milestones, a plot of the totals, and a line a day.
struct CompareText {
    let language: Language
    let style: TextStyle
    let width: TextWidth
    /// Columns of the terminal; nil without a limit.
    let columns: Int?
    /// Of the films, in their order.
    let titles: [String]

    func lines(_ comparison: RunComparison, source: DataSource?) -> [String] {
        let plot = plot(comparison)
        return films(comparison, source) + [""] + milestones(comparison) + (plot.isEmpty ? [] : [""] + plot)
            + [""] + days(comparison)
    }

    private func films(_ comparison: RunComparison, _ source: DataSource?) -> [String] {
        comparison.runs.enumerated().map { index, run in
            let opening = run.openingDay.map { language("\($0) 개봉", "opened \($0)") }
            let total = language(
                "누적 \(run.last.entry.audienceTotal.withSeparators)명 (\(run.last.day) 기준)",
                "\(run.last.entry.audienceTotal.withSeparators) admissions (as of \(run.last.day))")
            let words = [run.code.printable, opening, total, index == 0 ? source?.label?(language) : nil]
            return [
                TextPiece("\(index + 1) \(titles[index])", style: style.bold),
                TextPiece(words.compactMap(\.self).joined(separator: " · "), style: style.dim),
            ].joined(columns: columns, indent: 2, width)
        }
    }

    private func head(_ first: String, _ comparison: RunComparison) -> [String] {
        [first] + comparison.runs.indices.map { "\($0 + 1)" }
    }

    /// The later films are left out first.
    private func table(_ rows: [[String]], extra: Int) -> [String] {
        let films = rows[0].count - 1 - extra
        let priorities = (0..<films).map { films - $0 + 1 } + (0..<extra).map { _ in 1 }
        return TextTable(rows, priorities: priorities).layout(limit: columns, width).lines
    }

    private func milestones(_ comparison: RunComparison) -> [String] {
        let reached = comparison.milestones
        guard !reached.isEmpty else { return [language("10만 명을 넘은 영화가 없습니다.", "No film has reached 100,000.")] }
        let rows = reached.map { milestone in
            let count = language(
                "\((milestone.audience / 10_000).withSeparators)만 명", milestone.audience.withSeparators)
            return [count]
                + zip(milestone.days, milestone.dates).map { days, date in
                    if let days { return ChartWording(language: language).release(days) }
                    return date.map { $0.isExact ? "\($0.date)" : "≤\($0.date)" } ?? "-"
                }
        }
        return table([head(language("돌파", "milestone"), comparison)] + rows, extra: 0)
    }

    private func days(_ comparison: RunComparison) -> [String] {
        let isPair = comparison.runs.count == 2
        let difference = isPair ? ["1 − 2"] : []
        var rows: [[String]] = []
        var position = comparison.lines.first?.position ?? 0
        for line in comparison.lines {
            // Days on which no film was in the ten, or whose chart is missing.
            if line.position > position { rows.append(["…"] + Array(repeating: "", count: rows[0].count - 1)) }
            position = line.position + 1
            rows.append(row(line, comparison, isPair: isPair))
        }
        let first = comparison.axis == .date ? language("날짜", "date") : language("개봉 후", "day")
        return table([head(first, comparison) + difference] + rows, extra: difference.count)
    }

    private func row(_ line: RunComparison.Line, _ comparison: RunComparison, isPair: Bool) -> [String] {
        [name(line.position, comparison)] + line.totals.map { $0?.withSeparators ?? "-" }
            + (isPair ? [line.difference.map(signed) ?? ""] : [])
    }

    private func name(_ position: Int, _ comparison: RunComparison) -> String {
        comparison.axis == .date
            ? "\(Day(daysSinceEpoch: position))" : ChartWording(language: language).release(position)
    }

    private func signed(_ number: Int) -> String { (number > 0 ? "+" : "") + number.withSeparators }

    // MARK: Plot

    private static let rows = 8
    private static let usualColumns = 80
    private static let leastColumns = 16

    /// The totals over the days; each film has a dot in every so many columns, so that lines can be told apart.
    private func plot(_ comparison: RunComparison) -> [String] {
        let lines = comparison.lines
        let most = lines.flatMap(\.totals).compactMap(\.self).max() ?? 0
        let label = most.withSeparators
        let columns = min(self.columns ?? Self.usualColumns, Self.usualColumns) - label.count - 1
        guard let first = lines.first?.position, let last = lines.last?.position, last - first > 2, most > 0,
            columns >= Self.leastColumns
        else { return [] }
        let days = last - first + 1
        var plot = BraillePlot(columns: min(columns, max(Self.leastColumns, days)), rows: Self.rows)
        for film in comparison.runs.indices {
            let known = lines.compactMap { line in line.totals[film].map { (x: line.position - first, total: $0) } }
            for (start, end) in zip(known, known.dropFirst()) {
                let (left, right) = (start.x * plot.width / days, end.x * plot.width / days)
                for x in left...max(left, right) where x % (film + 1) == 0 {
                    let part = right > left ? Double(x - left) / Double(right - left) : 0
                    let total = Double(start.total) + (Double(end.total) - Double(start.total)) * part
                    let height = (max(0, total) / Double(most) * Double(plot.height - 1)).rounded()
                    plot.draw(x: x, y: plot.height - 1 - Int(height))
                }
            }
        }
        let drawn = plot.lines
        let labelled = drawn.enumerated().map { index, line in
            let text = index == 0 ? label : index == drawn.count - 1 ? "0" : ""
            return String(repeating: " ", count: label.count - text.count) + text + " " + style.cyan(line)
        }
        let legend = comparison.runs.indices.map { film in
            var sample = BraillePlot(columns: 4, rows: 1)
            for x in 0..<8 where x % (film + 1) == 0 { sample.draw(x: x, y: 1) }
            return "\(film + 1) \(sample.lines.joined())"
        }
        let margin = String(repeating: " ", count: label.count + 1)
        return labelled + [
            margin + "\(name(first, comparison)) ~ \(name(last, comparison))",
            margin + style.dim(legend.joined(separator: "  ")),
        ]
    }
}
