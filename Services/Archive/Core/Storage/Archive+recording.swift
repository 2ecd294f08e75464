public import ArchiveMachine
import Domain
import Envelope
import GRDB

extension Archive {
    /// Records an answer of the upstream, and returns after the commit.
    ///
    /// Answers that arrive during a commit share the next one: each waits for the disk.
    ///
    /// - Parameter now: milliseconds since 1970.
    @discardableResult
    public func record(_ sight: ChartRecord.Sight, of key: ChartKey, now: Int64) async throws -> ChartRecord.Change {
        try await commits.write(RecordedSight(key: key, sight: sight, now: now)) { sights in
            try await record(sights)
        }
    }

    /// Records several in one transaction.
    ///
    /// - Returns: the changes, in the same order.
    func record(_ sights: [RecordedSight]) async throws -> [ChartRecord.Change] {
        try await write { db in
            try sights.map { new in
                let (id, known) = try Self.chart(new.key, db)
                var record = known
                let change = record.record(new.sight, settledFrom: new.key.settledFrom, now: new.now)
                try Self.store(change, of: record, chart: id, db)
                return change
            }
        }
    }

    /// The row of a chart, which is made if it is missing, and what is known of it.
    private static func chart(_ key: ChartKey, _ db: Database) throws -> (id: Int64, record: ChartRecord) {
        let arguments: StatementArguments = [key.source.rawValue, key.kind.rawValue, key.firstDay.iso]
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id, edition, attemptedAt, attemptCode FROM chart
                    WHERE source = ? AND kind = ? AND firstDay = ?
                    """), arguments: arguments)
        guard let row else {
            try db.cachedStatement(
                sql: "INSERT INTO chart (source, kind, firstDay, settledFrom) VALUES (?, ?, ?, ?)"
            ).execute(arguments: arguments + [key.settledFrom])
            return (db.lastInsertedRowID, ChartRecord())
        }
        let (edition, attemptedAt): (Int64?, Int64?) = (row[1], row[2])
        return (
            row[0],
            ChartRecord(
                edition: try edition.flatMap { try Self.edition($0, db) },
                attempt: attemptedAt.map { ChartRecord.Attempt(at: $0, code: row[3]) })
        )
    }

    private static func store(
        _ change: ChartRecord.Change, of record: ChartRecord, chart: Int64, _ db: Database
    ) throws {
        switch change {
        case .none: break
        case .attempted:
            try db.cachedStatement(sql: "UPDATE chart SET attemptedAt = ?, attemptCode = ? WHERE id = ?")
                .execute(arguments: [record.attempt?.at, record.attempt?.code, chart])
        case .seenAgain:
            try db.cachedStatement(
                sql: """
                    UPDATE edition SET firstSeen = ?, lastSeen = ?
                    WHERE id = (SELECT edition FROM chart WHERE id = ?)
                    """
            ).execute(arguments: [record.edition?.firstSeen, record.edition?.lastSeen, chart])
        case .newEdition:
            guard let edition = record.edition else { return }
            let id = try insert(edition, chart: chart, db)
            try db.cachedStatement(sql: "UPDATE chart SET edition = ? WHERE id = ?").execute(arguments: [id, chart])
        case .pastEdition(let edition):
            // Seen twice by different ways, it is one edition.
            let isKnown = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM edition WHERE chart = ? AND checksum = ?)"),
                arguments: [chart, edition.entries.checksum])
            if isKnown != true { _ = try insert(edition, chart: chart, db) }
        }
    }

    private static func insert(_ edition: ChartRecord.Edition, chart: Int64, _ db: Database) throws -> Int64 {
        try db.cachedStatement(
            sql: "INSERT INTO edition (chart, firstSeen, lastSeen, entries, checksum) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            chart, edition.firstSeen, edition.lastSeen, edition.entries.count, edition.entries.checksum,
        ])
        let id = db.lastInsertedRowID
        for entry in edition.entries { try StoredEntry.insert(entry, edition: id, db) }
        return id
    }

    /// Removes editions whose rows a disk has changed, and makes the last intact one of their chart its current one.
    ///
    /// - Returns: the kinds and first days of their charts.
    static func removeDamaged(_ db: Database) throws -> [String] {
        let editions = try Row.fetchAll(
            db,
            sql:
                "SELECT edition.id, edition.chart, kind || ' ' || firstDay FROM edition JOIN chart ON chart.id = edition.chart"
        )
        var damaged: [String] = []
        for row in editions {
            let id: Int64 = row[0]
            guard try edition(id, db) == nil else { continue }
            damaged.append(row[2])
            try db.execute(sql: "DELETE FROM entry WHERE edition = ?", arguments: [id])
            try db.execute(
                sql: """
                    UPDATE chart SET edition = (
                        SELECT id FROM edition WHERE edition.chart = chart.id AND id <> :id ORDER BY lastSeen DESC LIMIT 1
                    ) WHERE edition = :id
                    """, arguments: ["id": id])
            try db.execute(sql: "DELETE FROM edition WHERE id = ?", arguments: [id])
        }
        return damaged
    }
}
