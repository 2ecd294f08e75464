import Domain
import Localization
import TerminalText

/// Two plots over the days of a film's present run: admissions as an area, and ranks with the first one at the top.
struct RunPlot {
    private static let rows = 5
    private static let rankRows = 3
    /// A message may contain any rank.
    private static let ranks = 1...10
    private static let usualColumns = 80
    private static let leastColumns = 16

    let language: Language
    let style: TextStyle
    /// Columns of the terminal; nil without a limit.
    let columns: Int?

    /// None for a run of fewer than three days, or on a terminal that is too narrow.
    func lines(_ run: FilmRun) -> [String] {
        let most = run.present.map(\.entry.audience).max() ?? 0
        let labels = [most.withSeparators, "0"]
        let margin = max(labels[0].count, 2) + 1
        let columns = min(columns ?? Self.usualColumns, Self.usualColumns) - margin - 1
        let days = run.last.day.days(since: run.firstDay) + 1
        guard days > 2, most > 0, columns >= Self.leastColumns else { return [] }
        let plots = drawn(run, days: days, most: most, columns: min(columns, max(Self.leastColumns, days * 2)))
        return labelled(plots.audience, top: labels[0], bottom: labels[1], margin: margin)
            + labelled(plots.rank, top: language("1위", "#1"), bottom: language("10위", "#10"), margin: margin)
            + [String(repeating: " ", count: margin) + "\(run.firstDay) ~ \(run.last.day)"]
    }

    /// A day takes as many dots as fit; where several days share a dot, the highest admissions and the best rank count.
    private func drawn(
        _ run: FilmRun, days: Int, most: Int, columns: Int
    ) -> (audience: BraillePlot, rank: BraillePlot) {
        var audience = BraillePlot(columns: columns, rows: Self.rows)
        var rank = BraillePlot(columns: columns, rows: Self.rankRows)
        for row in run.present {
            let offset = row.day.days(since: run.firstDay)
            let first = offset * audience.width / days
            let dots = first..<max(first + 1, (offset + 1) * audience.width / days)
            let height = Int((Double(max(0, row.entry.audience)) / Double(most) * Double(audience.height)).rounded(.up))
            for x in dots {
                // A provisional day is hollow: its top only.
                let lowest = row.isProvisional ? max(1, height) : 1
                for y in lowest...max(lowest, height) { audience.draw(x: x, y: audience.height - y) }
                if Self.ranks ~= row.entry.rank { rank.draw(x: x, y: row.entry.rank - 1) }
            }
        }
        return (audience, rank)
    }

    private func labelled(_ plot: BraillePlot, top: String, bottom: String, margin: Int) -> [String] {
        let lines = plot.lines
        return lines.enumerated().map { index, line in
            let label = index == 0 ? top : index == lines.count - 1 ? bottom : ""
            let width = TextWidth.narrow.columns(label)
            return String(repeating: " ", count: max(0, margin - 1 - width)) + label + " " + style.cyan(line)
        }
    }
}
