public import Domain
public import Envelope
import GRDB

/// The records of the longest span of a range of which every chart is known.
public struct ArchivedRecords: Sendable {
    /// Nil when no chart is known.
    public let span: ClosedRange<Day>?
    public let records: [BoxOfficeRecord]
    /// The charts of the range that are known.
    public let known: [Day]
    /// Of the span.
    public let provisional: Int
    public let source: DataSource?
}

extension Archive {
    /// - Parameter days: of the daily charts.
    public func records(_ world: DataWorld, in days: ClosedRange<Day>) async throws -> ArchivedRecords {
        try await read { db in
            let charts = try KnownCharts(world, .daily, in: days, db)
            let known = charts.charts.map(\.day)
            guard let span = Self.longestSpan(known) else {
                return ArchivedRecords(span: nil, records: [], known: [], provisional: 0, source: nil)
            }
            let films = try TitledFilms(db)
            var search = RecordSearch(films: films.films, in: span)
            var provisional: [Day] = []
            try charts.forEach(["title", "rank", "audience", "audienceTotal"], db) { chart, numbers in
                guard span.contains(chart.day) else { return }
                if chart.isProvisional { provisional.append(chart.day) }
                search.begin(chart.day)
                for start in stride(from: numbers.startIndex, to: numbers.endIndex, by: 4) {
                    guard let film = films.index(numbers[start]) else { continue }
                    search.add(
                        film: film, rank: numbers[start + 1], audience: numbers[start + 2], total: numbers[start + 3])
                }
            }
            let records = search.end().map { record in
                var record = record
                record.isProvisional = provisional.contains(where: record.days.contains)
                return record
            }
            return ArchivedRecords(
                span: span, records: records, known: known, provisional: provisional.count, source: charts.source)
        }
    }

    /// The longest range of days without a gap, the latest of equal ones.
    static func longestSpan(_ days: [Day]) -> ClosedRange<Day>? {
        var longest: ClosedRange<Day>?
        var start: Day?
        for (index, day) in days.enumerated() {
            if index == 0 || days[index - 1].advanced(by: 1) != day { start = day }
            guard let start else { continue }
            if longest.map({ $0.count <= day.days(since: start) + 1 }) ?? true { longest = start...day }
        }
        return longest
    }
}
