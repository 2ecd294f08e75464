public import ArchiveMachine
public import Contracts
public import Domain
public import Envelope
import GRDB
import Storage

extension Archive {
    /// The charts that are known of a range of days, in order; a chart that is not among them is unknown.
    ///
    /// - Parameter moment: what was known then, in milliseconds since 1970; nil for what is known now.
    public func charts(
        _ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>, asOf moment: Int64? = nil
    ) async throws -> [ArchivedChart] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT firstDay, settledFrom, edition, attemptedAt, attemptCode, id, source FROM chart
                        WHERE source IN (?, ?) AND kind = ? AND firstDay BETWEEN ? AND ? ORDER BY firstDay, source
                        """),
                arguments: world.arguments + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso])
            var charts: [ArchivedChart] = []
            for row in rows {
                let chart = try Self.chart(row, asOf: moment, db)
                // Of two sources of one world, the more genuine one that has a chart.
                if let last = charts.last, last.date == chart.date {
                    if chart.genuineness > last.genuineness { charts[charts.count - 1] = chart }
                } else {
                    charts.append(chart)
                }
            }
            return charts
        }
    }

    private static func chart(_ row: Row, asOf moment: Int64?, _ db: Database) throws -> ArchivedChart {
        guard let day = Day(iso: row[0]) else {
            throw StorageError(.corrupt, "the archive has a day '\(row[0] as String)'")
        }
        let editionID = if let moment { try edition(of: row[5], at: moment, db) } else { row[2] as Int64? }
        let (attemptedAt, code): (Int64?, String?) = (row[3], row[4])
        let record = ChartRecord(
            edition: try editionID.flatMap { try edition($0, db) }?.known(at: moment ?? .max),
            attempt: attemptedAt.map { ChartRecord.Attempt(at: $0, code: code ?? "") })
        let seen = record.edition
        let failure = record.attempt.flatMap { $0.at > seen?.lastSeen ?? .min ? FailureCode(rawValue: $0.code) : nil }
        return ArchivedChart(
            date: day, state: record.state(settledFrom: row[1]), source: DataSource(rawValue: row[6]),
            firstSeen: seen?.firstSeen, lastSeen: seen?.lastSeen, failure: failure, entries: seen?.entries ?? [])
    }

    /// All editions of a chart, the oldest first.
    public func editions(of key: ChartKey) async throws -> [ChartRecord.Edition] {
        try await read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT edition.id FROM edition JOIN chart ON chart.id = edition.chart
                        WHERE source = ? AND kind = ? AND firstDay = ? ORDER BY firstSeen, edition.id
                        """),
                arguments: [key.source.rawValue, key.kind.rawValue, key.firstDay.iso]
            ).compactMap { try Self.edition($0, db) }
        }
    }

    /// A film's rows in the daily charts of a range, in order, and the least genuine source of them.
    public func run(
        of code: String, _ world: DataWorld, in days: ClosedRange<Day>
    ) async throws -> (rows: [FilmDay], source: DataSource?) {
        try await read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT firstDay, lastSeen < settledFrom, source, \(StoredEntry.columns)
                        FROM title JOIN entry ON entry.title = title.id
                            JOIN edition ON edition.id = entry.edition
                            JOIN chart ON chart.id = edition.chart AND chart.edition = edition.id
                        WHERE code = ? AND source IN (?, ?) AND kind = 'daily' AND firstDay BETWEEN ? AND ?
                        ORDER BY firstDay, source
                        """),
                arguments: [code] + world.arguments + [days.lowerBound.iso, days.upperBound.iso])
            var found: [FilmDay] = []
            var source: DataSource?
            while let row = try rows.next() {
                guard let day = Day(iso: row[0]) else { continue }
                // Of two sources of one world, the recorded row comes after the invented one.
                if found.last?.day == day { found.removeLast() }
                found.append(FilmDay(day: day, isProvisional: row[1], entry: try StoredEntry.entry(row, from: 3)))
                source = [source, DataSource(rawValue: row[2])].compactMap(\.self).min()
            }
            return (found, source)
        }
    }

    /// The states of the charts of a range that have been asked for, by their first day.
    public func states(
        _ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>
    ) async throws -> [Day: ChartState] {
        try await read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT firstDay, \(Self.state) FROM chart LEFT JOIN edition ON edition.id = chart.edition
                        WHERE source IN (?, ?) AND kind = ? AND firstDay BETWEEN ? AND ?
                        """),
                arguments: world.arguments + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso])
            var states: [Day: ChartState] = [:]
            while let row = try rows.next() {
                guard let day = Day(iso: row[0]), let state = ChartState(rawValue: row[1]) else { continue }
                // Of two sources of one world, the one that knows more.
                states[day] = states[day].map { $0.isFinal ? $0 : state } ?? state
            }
            return states
        }
    }

    /// As `ChartRecord.state`.
    private static let state = """
        CASE WHEN edition IS NULL THEN
            CASE attemptCode WHEN 'not_published' THEN 'not_published' ELSE 'failed' END
        WHEN lastSeen < settledFrom THEN 'provisional'
        WHEN entries = 0 THEN 'empty' ELSE 'settled' END
        """

    /// The number of charts in each state, by the year of their first day.
    public func coverage(_ world: DataWorld, _ kind: ChartKind) async throws -> [Int: [ChartState: Int]] {
        try await read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT CAST(substr(firstDay, 1, 4) AS INTEGER), \(Self.state), count(*)
                        FROM chart LEFT JOIN edition ON edition.id = chart.edition
                        WHERE source IN (?, ?) AND kind = ? GROUP BY 1, 2
                        """),
                arguments: world.arguments + [kind.rawValue])
            var coverage: [Int: [ChartState: Int]] = [:]
            while let row = try rows.next() {
                guard let state = ChartState(rawValue: row[1]) else { continue }
                coverage[row[0], default: [:]][state] = row[2]
            }
            return coverage
        }
    }

    /// The source of the chart that was seen last; nil for an empty archive.
    public func latestSource() async throws -> DataSource? {
        try await read { db in
            try String.fetchOne(
                db,
                sql:
                    "SELECT source FROM chart JOIN edition ON edition.id = chart.edition ORDER BY lastSeen DESC LIMIT 1"
            ).map(DataSource.init(rawValue:))
        }
    }

    /// The edition that was in force at a moment; nil when none had been seen.
    private static func edition(of chart: Int64, at moment: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id FROM edition WHERE chart = ? AND firstSeen <= ? ORDER BY firstSeen DESC, id DESC LIMIT 1
                    """),
            arguments: [chart, moment])
    }

    /// The edition with its rows; nil when a disk has changed them: then it counts as never seen.
    static func edition(_ id: Int64, _ db: Database) throws -> ChartRecord.Edition? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT firstSeen, lastSeen, checksum FROM edition WHERE id = ?"), arguments: [id])
        guard let row else { return nil }
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT \(StoredEntry.columns) FROM entry JOIN title ON title.id = entry.title
                    WHERE edition = ? ORDER BY rowNumber
                    """),
            arguments: [id])
        var entries: [ChartEntry] = []
        while let row = try rows.next() { entries.append(try StoredEntry.entry(row, from: 0)) }
        guard entries.checksum == row[2] else { return nil }
        return ChartRecord.Edition(entries: entries, firstSeen: row[0], lastSeen: row[1])
    }
}

extension ArchivedChart {
    /// Of two sources of one world, a chart comes before none, and a recorded one before an invented one.
    fileprivate var genuineness: Int { lastSeen == nil ? 0 : source == .demo ? 1 : 2 }
}
