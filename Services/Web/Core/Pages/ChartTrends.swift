import Contracts
import Domain

/// The admissions of each film of a daily chart on the days before it.
struct ChartTrends: Sendable {
    /// With the chart's own day.
    static let days = 14

    private let audiences: [String: [Int: Int]]
    /// The places of the days that are archived.
    private let known: Set<Int>

    /// - Parameters:
    ///   - charts: of the days before; nil is the result without a known one.
    ///   - day: of the chart.
    init?(_ charts: [ArchivedChart], until day: Day) {
        var known: Set<Int> = []
        var audiences: [String: [Int: Int]] = [:]
        for chart in charts {
            let place = Self.days - 1 - day.days(since: chart.date)
            guard 0..<Self.days - 1 ~= place, [.settled, .provisional, .empty].contains(chart.state) else { continue }
            known.insert(place)
            for entry in chart.entries { audiences[entry.code, default: [:]][place] = entry.audience }
        }
        guard !known.isEmpty else { return nil }
        self.audiences = audiences
        self.known = known
    }

    /// The days before a chart's day, as far as there are charts.
    static func daysBefore(_ day: Day) -> ClosedRange<Day>? {
        let first = max(day.advanced(by: 1 - days), .firstChart)
        return first < day ? first...day.advanced(by: -1) : nil
    }

    /// Whether the chart of a day is archived.
    func isKnown(_ place: Int) -> Bool { known.contains(place) }

    /// One number a day, the chart's own day last; nil on days that are not archived or without the film.
    func audiences(of entry: ChartEntry) -> [Int?] {
        let before = audiences[entry.code] ?? [:]
        return (0..<Self.days - 1).map { before[$0] } + [entry.audience]
    }
}
