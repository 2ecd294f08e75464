import Domain
import Envelope
import GRDB
import Storage

/// The charts of a range that are known, in the order of their days, each once.
struct KnownCharts {
    struct Chart {
        let day: Day
        let edition: Int64
        let isProvisional: Bool
        let source: DataSource
    }

    let charts: [Chart]
    private let known: String
    private let arguments: StatementArguments

    /// - Parameter days: of the charts' first days.
    init(_ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>, _ db: Database) throws {
        let range: StatementArguments = [kind.rawValue, days.lowerBound.iso, days.upperBound.iso]
        let one = "FROM chart AS one WHERE source = ? AND kind = ? AND firstDay BETWEEN ? AND ? AND edition IS NOT NULL"
        let (rare, usual) = world.sources
        // Of two sources of one world, the rarer one counts.
        let parts: [(condition: String, arguments: StatementArguments)] =
            rare == usual
            ? [("", [usual.rawValue] + range)]
            : [
                ("", [rare.rawValue] + range),
                (
                    """
                     AND NOT EXISTS (SELECT 1 FROM chart WHERE source = ? AND kind = one.kind AND firstDay = one.firstDay
                        AND edition IS NOT NULL)
                    """,
                    [usual.rawValue] + range + [rare.rawValue]
                ),
            ]
        known = parts.map { "SELECT edition \(one)\($0.condition)" }.joined(separator: " UNION ALL ")
        arguments = parts.reduce([]) { $0 + $1.arguments }
        var charts: [Chart] = []
        for part in parts {
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT firstDay, edition, lastSeen < settledFrom, source
                        FROM (SELECT firstDay, edition, settledFrom, source \(one)\(part.condition)) AS chart
                            JOIN edition ON edition.id = chart.edition
                        ORDER BY firstDay
                        """),
                arguments: part.arguments)
            while let row = try rows.next() {
                guard let day = Day(iso: row[0]) else {
                    throw StorageError(.corrupt, "the archive has a day '\(row[0] as String)'")
                }
                charts.append(
                    Chart(day: day, edition: row[1], isProvisional: row[2], source: DataSource(rawValue: row[3])))
            }
        }
        self.charts = parts.count > 1 ? charts.sorted { $0.day < $1.day } : charts
    }

    /// Numbers of each row of each chart.
    ///
    /// - Parameters:
    ///   - columns: integer columns of `entry`, or expressions of its columns.
    ///   - body: called for each chart in order, with the numbers of its rows one after the other.
    func forEach(_ columns: [String], _ db: Database, _ body: (Chart, ArraySlice<Int>) -> Void) throws {
        // One query for all: from the charts to their rows, which SQLite would not choose for many.
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT edition, \(columns.joined(separator: ", "))
                    FROM (\(known)) CROSS JOIN entry USING (edition)
                    """),
            arguments: arguments)
        var (numbers, bounds): ([Int], [Int64: Range<Int>]) = ([], [:])
        var (edition, start) = (Int64?.none, 0)
        numbers.reserveCapacity(charts.count * columns.count * 10)
        func close() {
            if let edition { bounds[edition] = start..<numbers.count }
        }
        while let row = try rows.next() {
            let next: Int64 = row[0]
            if next != edition {
                close()
                (edition, start) = (next, numbers.count)
            }
            for column in 1...columns.count { numbers.append(row[column]) }
        }
        close()
        for chart in charts { body(chart, numbers[bounds[chart.edition] ?? 0..<0]) }
    }

    var source: DataSource? { charts.map(\.source).min() }
    var provisional: Int { charts.count(where: \.isProvisional) }
}

/// The films that rows name by the ids of their titles.
struct TitledFilms {
    let films: [RecordSearch.Film]
    /// From the id of a title to the index of its film.
    private let indices: [Int: Int]

    /// Several titles of one code are one film, called as its last one.
    init(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id, code, title, openingDay FROM title ORDER BY id"))
        var (films, indices, byCode): ([RecordSearch.Film], [Int: Int], [String: Int]) = ([], [:], [:])
        while let row = try rows.next() {
            let film = RecordSearch.Film(code: row[1], title: row[2], openingDay: Day(iso: row[3] as String))
            if let index = byCode[film.code] {
                films[index] = film
                indices[row[0]] = index
            } else {
                byCode[film.code] = films.count
                indices[row[0]] = films.count
                films.append(film)
            }
        }
        (self.films, self.indices) = (films, indices)
    }

    /// Nil for an id that no title has: a disk has changed it.
    func index(_ title: Int) -> Int? { indices[title] }
}
