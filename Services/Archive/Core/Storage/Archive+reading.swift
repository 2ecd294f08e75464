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
            let known = """
                WITH known AS (
                    SELECT id, source, firstDay, settledFrom, attemptedAt, attemptCode, \(moment == nil ? "edition" : Self.past) AS current
                    FROM chart WHERE source IN (?, ?) AND kind = ? AND firstDay BETWEEN ? AND ?
                )
                """
            let arguments =
                StatementArguments([moment].compactMap(\.self)) + world.arguments
                + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso]
            var entries = try Self.entries(known, arguments, db)
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        \(known)
                        SELECT firstDay, source, settledFrom, attemptedAt, attemptCode, current, firstSeen, lastSeen, checksum
                        FROM known LEFT JOIN edition ON edition.id = current ORDER BY firstDay, source
                        """),
                arguments: arguments)
            var charts: [ArchivedChart] = []
            while let row = try rows.next() {
                let edition = (row[5] as Int64?).flatMap { Self.edition(row, entries.removeValue(forKey: $0) ?? []) }
                let chart = try Self.chart(row, edition, asOf: moment)
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

    /// The edition that was in force at a moment.
    private static let past = """
        (SELECT id FROM edition WHERE chart = chart.id AND firstSeen <= ? ORDER BY firstSeen DESC, id DESC LIMIT 1)
        """

    /// The rows of the editions that a query names as `current`, by edition.
    private static func entries(
        _ known: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [Int64: [ChartEntry]] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    \(known)
                    SELECT current, \(StoredEntry.columns)
                    FROM known CROSS JOIN entry ON entry.edition = current CROSS JOIN title ON title.id = entry.title
                    """),
            arguments: arguments)
        var entries: [Int64: [ChartEntry]] = [:]
        // By the key of the table, the rows of an edition come in the order of their numbers.
        while let row = try rows.next() {
            entries[row[0], default: []].append(try StoredEntry.entry(row, from: 1))
        }
        return entries
    }

    /// Nil when a disk has changed its rows: then it counts as never seen.
    private static func edition(_ row: Row, _ entries: [ChartEntry]) -> ChartRecord.Edition? {
        guard entries.checksum == row[8] else { return nil }
        return ChartRecord.Edition(entries: entries, firstSeen: row[6], lastSeen: row[7])
    }

    private static func chart(
        _ row: Row, _ edition: ChartRecord.Edition?, asOf moment: Int64?
    ) throws -> ArchivedChart {
        guard let day = Day(iso: row[0]) else {
            throw StorageError(.corrupt, "the archive has a day '\(row[0] as String)'")
        }
        var attempt = (row[3] as Int64?).map { ChartRecord.Attempt(at: $0, code: row[4] ?? "") }
        if let moment, let at = attempt?.at, at > moment { attempt = nil }
        let record = ChartRecord(edition: edition?.known(at: moment ?? .max), attempt: attempt)
        let failure = attempt.flatMap { $0.at > edition?.lastSeen ?? .min ? FailureCode(rawValue: $0.code) : nil }
        return ArchivedChart(
            date: day, state: record.state(settledFrom: row[2]), source: DataSource(rawValue: row[1]),
            firstSeen: record.edition?.firstSeen, lastSeen: record.edition?.lastSeen, failure: failure,
            entries: edition?.entries ?? [])
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
            // From the film to its charts: by itself SQLite would begin with all charts of the range.
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT firstDay, lastSeen < settledFrom, source, \(StoredEntry.columns)
                        FROM title CROSS JOIN entry ON entry.title = title.id
                            CROSS JOIN chart ON chart.edition = entry.edition
                            CROSS JOIN edition ON edition.id = chart.edition
                        WHERE code = ? AND +source IN (?, ?) AND +kind = 'daily' AND +firstDay BETWEEN ? AND ?
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

    /// The days of a range whose daily charts are not known, in order.
    public func unknownDays(_ world: DataWorld, in days: ClosedRange<Day>) async throws -> [ClosedRange<Day>] {
        try await read { db in
            let known = "source = ? AND kind = 'daily' AND firstDay BETWEEN ? AND ? AND edition IS NOT NULL"
            let range = [days.lowerBound.iso, days.upperBound.iso]
            let (one, other) = world.sources
            // A range of which everything is known is the usual one, and to count is the fastest.
            let count = try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT (SELECT count(*) FROM chart WHERE \(known)) + (
                            SELECT count(*) FROM chart AS one WHERE \(known) AND source <> ? AND NOT EXISTS (
                                SELECT 1 FROM chart WHERE \(known) AND firstDay = one.firstDay))
                        """),
                arguments: StatementArguments(
                    [other.rawValue] + range + [one.rawValue] + range + [other.rawValue, other.rawValue] + range))
            guard count != days.count else { return [] }
            let found = try String.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT firstDay FROM chart WHERE \(known) UNION SELECT firstDay FROM chart WHERE \(known)
                        ORDER BY firstDay
                        """), arguments: StatementArguments([one.rawValue] + range + [other.rawValue] + range))
            var (unknown, next): ([ClosedRange<Day>], Day) = ([], days.lowerBound)
            while let text = try found.next() {
                guard let day = Day(iso: text) else { continue }
                if next < day { unknown.append(next...day.advanced(by: -1)) }
                next = day.advanced(by: 1)
            }
            if next <= days.upperBound { unknown.append(next...days.upperBound) }
            return unknown
        }
    }

    /// The number of charts of a range that are final.
    public func finalCharts(_ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>) async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(DISTINCT firstDay) FROM chart JOIN edition ON edition.id = chart.edition
                        WHERE source IN (?, ?) AND kind = ? AND firstDay BETWEEN ? AND ? AND lastSeen >= settledFrom
                        """),
                arguments: world.arguments + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso]) ?? 0
        }
    }

    /// The number of charts of a range that are known.
    public func knownCharts(_ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>) async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(DISTINCT firstDay) FROM chart
                        WHERE source IN (?, ?) AND kind = ? AND firstDay BETWEEN ? AND ? AND edition IS NOT NULL
                        """),
                arguments: world.arguments + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso]) ?? 0
        }
    }

    /// As `ChartRecord.state`.
    private static let state = """
        CASE WHEN edition IS NULL THEN
            CASE WHEN attemptCode IS NULL THEN 'unknown' WHEN attemptCode = 'not_published' THEN 'not_published' ELSE 'failed' END
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
