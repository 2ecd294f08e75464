import Contracts
public import Domain
public import Envelope
import GRDB

/// What the known charts of a range say about films.
public struct ArchivedGains: Sendable {
    /// In no order.
    public let films: [FilmGain]
    /// The charts of the range that are known, by their first day.
    public let known: [Day]
    public let provisional: Int
    public let source: DataSource?
}

extension Archive {
    /// What each film of the charts of a range gained.
    ///
    /// - Parameters:
    ///   - days: the range; of weekly charts from a Monday to a Sunday.
    public func gains(_ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>) async throws -> ArchivedGains {
        try await read { db in
            let charts = try KnownCharts(world, kind, in: days, db)
            let before = kind.days(around: days.lowerBound.advanced(by: -1)).lowerBound
            let eve = try KnownCharts(world, kind, in: before...before, db)
            let titles = try Titles(of: [before...before, days], world, kind, db)
            var films: [String: Rows] = [:]
            func add(_ chart: KnownCharts.Chart, _ row: ArraySlice<Int>, isEve: Bool) {
                guard let title = titles[row[row.startIndex]] else { return }
                let edge = FilmGain.Edge(
                    days: kind.days(around: chart.day), audience: row[row.startIndex + 1],
                    audienceTotal: row[row.startIndex + 2], sales: Int64(row[row.startIndex + 3]),
                    salesTotal: Int64(row[row.startIndex + 4]))
                if isEve {
                    films[title.code, default: Rows()].eve = edge
                } else {
                    films[title.code, default: Rows()].add(edge, title)
                }
            }
            let columns = ["title", "audience", "audienceTotal", "salesAmount", "salesTotal"]
            for (known, isEve) in [(eve, true), (charts, false)] {
                try known.forEach(columns, db) { chart, numbers in
                    for start in stride(from: numbers.startIndex, to: numbers.endIndex, by: columns.count) {
                        add(chart, numbers[start..<start + columns.count], isEve: isEve)
                    }
                }
            }
            return ArchivedGains(
                films: films.compactMap { code, rows in rows.gain(of: code, in: days) },
                known: charts.charts.map(\.day),
                provisional: charts.provisional, source: charts.source)
        }
    }

    /// A film's first and last rows of a range.
    private struct Rows {
        var eve: FilmGain.Edge?
        private var first: FilmGain.Edge?
        private var last: FilmGain.Edge?
        private var title: RecordSearch.Film?
        private var count = 0

        mutating func add(_ edge: FilmGain.Edge, _ title: RecordSearch.Film) {
            first = first ?? edge
            (last, self.title, count) = (edge, title, count + 1)
        }

        func gain(of code: String, in days: ClosedRange<Day>) -> FilmGain? {
            guard let first, let last, let title else { return nil }
            return FilmGain(
                code: code, title: title.title, openingDay: title.openingDay, in: days, first: first, last: last,
                eve: eve, charts: count)
        }
    }

    /// The titles of the charts of some ranges, by id.
    private struct Titles {
        private var titles: [Int: RecordSearch.Film] = [:]

        init(of ranges: [ClosedRange<Day>], _ world: DataWorld, _ kind: ChartKind, _ db: Database) throws {
            for days in ranges {
                let rows = try Row.fetchCursor(
                    db.cachedStatement(
                        sql: """
                            SELECT id, code, title, openingDay FROM title WHERE id IN (
                                SELECT title FROM chart CROSS JOIN entry USING (edition)
                                WHERE source IN (?, ?) AND kind = ? AND firstDay BETWEEN ? AND ?)
                            """),
                    arguments: world.arguments + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso])
                while let row = try rows.next() {
                    titles[row[0]] = RecordSearch.Film(
                        code: row[1], title: row[2], openingDay: Day(iso: row[3] as String))
                }
            }
        }

        subscript(id: Int) -> RecordSearch.Film? { titles[id] }
    }

    /// Where the films of a range come from, by code, as far as their details are known.
    public func nations(
        _ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>
    ) async throws -> [String: NationGroup] {
        try await read { try Self.nations(world, $0) }
    }

    static func nations(_ world: DataWorld, _ db: Database) throws -> [String: NationGroup] {
        // A rarer source comes later and counts.
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT code, nations FROM film WHERE source IN (?, ?) ORDER BY source"),
            arguments: world.arguments)
        var (groups, decoded): ([String: NationGroup], [String: NationGroup]) = ([:], [:])
        while let row = try rows.next() {
            let text: String = row[1]
            let group = try decoded[text] ?? NationGroup(JSONBytes.decode([String].self, from: Array(text.utf8)))
            decoded[text] = group
            groups[row[0]] = group
        }
        return groups
    }
}
