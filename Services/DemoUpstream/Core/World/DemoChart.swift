import Domain

/// A published list; empty for days that are not published.
struct DemoChart: Sendable {
    let kind: ChartKind
    /// The days that are counted: of a week that still runs, those up to yesterday.
    let days: ClosedRange<Day>
    let rows: [DemoChartRow]

    /// The chart before its last corrections: up to 52 admissions a film are still missing, and no rank differs.
    func stillCounted(seed: UInt64) -> DemoChart {
        let missing = rows.indices.map { index in
            var random = SplitMix64(seed: seed, days.upperBound.daysSinceEpoch, index, 52)
            // Few enough that the order of the films stays the same.
            let lead = rows[index].admissions - (index + 1 < rows.count ? rows[index + 1].admissions : 0)
            return min(random.number(in: 0...52), max(0, lead - 1), rows[index].admissions / 4)
        }
        return DemoChart(
            kind: kind, days: days, rows: zip(rows, missing).map { $0.lacking(admissions: $1) })
    }
}

extension ChartFilter {
    /// A filtered chart is ranked anew among the films it admits.
    func admits(_ film: DemoFilm) -> Bool {
        if let nation, film.isKorean != (nation == .korean) { return false }
        if let diversity, film.isDiverse != (diversity == .diverse) { return false }
        return true
    }
}
