import Foundation
import GRDB
import Storage

extension DiskTier {
    /// The result of writing one entry.
    enum Write: Hashable, Sendable {
        case stored
        case refusedTooLarge
        case superseded
    }

    /// The results of one committed transaction, and the totals of the database after it.
    struct Commit: Sendable {
        /// In the order of the entries given.
        var writes: [Write] = []
        var evictions = 0
        var tally: DiskTally
    }

    /// Stores the entries in one transaction, evicts what exceeds the bound, and returns after the commit.
    ///
    /// - Parameter uses: keys used since the last put, the oldest use first. They are written here, because a
    ///   transaction for every read would take longer than the read.
    /// - Parameter now: milliseconds since 1970.
    func put(_ entries: [CacheEntry], uses: [String] = [], at now: Int64) async throws -> Commit {
        let bound = configuration.bound
        return try await withStorageErrors {
            try await pool.write { db in
                var commit = Commit(tally: try DiskTally.read(db))
                for key in uses {
                    try db.cachedStatement(sql: "UPDATE entry SET lastUse = ? WHERE key = ?")
                        .execute(arguments: [commit.tally.nextUse(), Data(key.utf8)])
                }
                for entry in entries {
                    commit.writes.append(try Self.write(entry, db, bound: bound, at: now, tally: &commit.tally))
                }
                commit.evictions = try Self.evict(db, bound: bound, tally: &commit.tally)
                try commit.tally.write(db)
                return commit
            }
        }
    }

    /// Removes the selected entries in one transaction.
    ///
    /// - Returns: how many entries were removed, and the remaining totals.
    func remove(_ selection: CacheSelection) async throws -> (removed: Int, tally: DiskTally) {
        try await withStorageErrors {
            try await pool.write { db in
                var tally = try DiskTally.read(db)
                let (condition, arguments) = Self.condition(selection)
                try db.execute(
                    sql: "DELETE FROM payload WHERE id IN (SELECT id FROM entry WHERE \(condition))",
                    arguments: arguments)
                let sizes = try Int.fetchAll(
                    db, sql: "DELETE FROM entry WHERE \(condition) RETURNING size", arguments: arguments)
                tally.bytes -= sizes.reduce(0, +)
                tally.entries -= sizes.count
                try tally.write(db)
                return (removed: sizes.count, tally: tally)
            }
        }
    }

    /// Returns the room of removed entries to the file system.
    func shrink() async throws {
        try await withStorageErrors { try await pool.vacuum() }
    }

    private static func condition(_ selection: CacheSelection) -> (sql: String, arguments: StatementArguments) {
        switch selection {
        case .key(let key): ("key = ?", [Data(key.utf8)])
        case .kind(let kind): ("kind = ?", [kind])
        case .family(let family): ("kind = ? OR substr(kind, 1, length(?)) = ?", [family, family + ".", family + "."])
        case .everything: ("TRUE", [])
        }
    }

    private static func write(
        _ entry: CacheEntry, _ db: Database, bound: TierBound, at now: Int64, tally: inout DiskTally
    ) throws -> Write {
        let key = Data(entry.key.utf8)
        let held = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT storedAt, size FROM entry WHERE key = ?"), arguments: [key])
        if let held, entry.isSuperseded(by: held[0], at: now) { return .superseded }
        let size = entry.size
        guard size <= bound.bytes, bound.entries > 0 else { return .refusedTooLarge }
        // IFNULL: an empty `Data` may reach SQLite as NULL.
        let id = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO entry (key, kind, attributes, storedAt, freshUntil, fetchedBy, checksum, size, lastUse)
                    VALUES (IFNULL(?, x''), ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET attributes = excluded.attributes, storedAt = excluded.storedAt,
                        freshUntil = excluded.freshUntil, fetchedBy = excluded.fetchedBy,
                        checksum = excluded.checksum, size = excluded.size, lastUse = excluded.lastUse
                    RETURNING id
                    """),
            arguments: [
                key, EntryKey(entry.key).kind, try json(entry.attributes), entry.storedAt, entry.freshUntil,
                entry.fetchedBy, entry.checksum, size, tally.nextUse(),
            ])
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO payload (id, value) VALUES (?, IFNULL(?, x''))")
            .execute(arguments: [id, Data(entry.value)])
        tally.bytes += size - (held.map { $0[1] } ?? 0)
        tally.entries += held == nil ? 1 : 0
        return .stored
    }

    private static func evict(_ db: Database, bound: TierBound, tally: inout DiskTally) throws -> Int {
        var evicted = 0
        while tally.bytes > bound.bytes || tally.entries > bound.entries {
            let oldest = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT id, size FROM entry ORDER BY lastUse LIMIT 1"))
            guard let oldest else { break }
            let (id, size): (Int64, Int) = (oldest[0], oldest[1])
            try db.cachedStatement(sql: "DELETE FROM payload WHERE id = ?").execute(arguments: [id])
            try db.cachedStatement(sql: "DELETE FROM entry WHERE id = ?").execute(arguments: [id])
            tally.bytes -= size
            tally.entries -= 1
            evicted += 1
        }
        return evicted
    }

    /// JSON, readable in any SQLite shell; nil for the many entries without attributes.
    private static func json(_ attributes: [String: String]) throws -> String? {
        if attributes.isEmpty { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(attributes), as: UTF8.self)
    }
}
