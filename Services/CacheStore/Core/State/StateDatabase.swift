import BoxOffice
import CacheStoreMachines
import Envelope
import Foundation
import GRDB

/// The database of what is never evicted: the calls that were counted, and what was pinned.
///
/// It is apart from the cache so that clearing, replacing or losing the cache forgets none of it.
enum StateDatabase {
    /// `applicationID` is "BOXS".
    static func file(in folder: String) -> DatabaseFile {
        DatabaseFile(
            name: "state", path: folder + "/state.sqlite", applicationID: 0x424F_5853, synchronous: .full,
            migrator: migrator)
    }

    static func readBalances(_ db: Database) throws -> [QuotaAccount: QuotaBalance] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT upstream, key, day, used, callLimit, exhaustedAt, probedAt FROM quota")
        return Dictionary(
            rows.map { row in
                (
                    QuotaAccount(upstream: row[0], key: row[1]),
                    QuotaBalance(
                        day: Day(daysSinceEpoch: row[2]), used: row[3], limit: row[4], exhaustedAt: row[5],
                        probedAt: row[6])
                )
            }, uniquingKeysWith: { $1 })
    }

    static func write(_ balances: [QuotaAccount: QuotaBalance], _ db: Database) throws {
        for (account, balance) in balances {
            // A predecessor that is being replaced may have counted until now.
            try db.cachedStatement(
                sql: """
                    INSERT INTO quota VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (upstream, key) DO UPDATE SET
                        used = CASE WHEN day = excluded.day THEN max(used, excluded.used) ELSE excluded.used END,
                        day = excluded.day, callLimit = excluded.callLimit, exhaustedAt = excluded.exhaustedAt,
                        probedAt = excluded.probedAt
                    """
            )
            .execute(arguments: [
                account.upstream, account.key, balance.day.daysSinceEpoch, balance.used, balance.limit,
                balance.exhaustedAt, balance.probedAt,
            ])
        }
    }

    static func readPins(_ db: Database) throws -> [String: CacheEntry] {
        let rows = try Row.fetchAll(db, sql: "SELECT key, value, pinnedAt, pinnedBy FROM pin")
        return Dictionary(
            rows.map { row in
                let key: String = row[0]
                let value = Array(row[1] as Data)
                return (
                    key, CacheEntry(key: key, value: value, storedAt: row[2], freshUntil: .max, fetchedBy: row[3])
                )
            }, uniquingKeysWith: { $1 })
    }

    static func write(_ pin: CacheEntry, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO pin VALUES (?, ?, ?, ?)",
            arguments: [pin.key, Data(pin.value), pin.storedAt, pin.fetchedBy])
    }

    static func removePin(under key: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM pin WHERE key = ?", arguments: [key])
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 quota") { db in
            try db.execute(
                sql: """
                    CREATE TABLE quota (
                        upstream TEXT NOT NULL, key TEXT NOT NULL, day INTEGER NOT NULL, used INTEGER NOT NULL,
                        callLimit INTEGER NOT NULL, exhaustedAt REAL, probedAt REAL, PRIMARY KEY (upstream, key)
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("2 pins") { db in
            try db.execute(
                sql: """
                    CREATE TABLE pin (
                        key TEXT PRIMARY KEY, value BLOB NOT NULL, pinnedAt INTEGER NOT NULL, pinnedBy TEXT NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("3 nulls") { db in
            // Posters pinned before leave out what they do not know; they are never fetched again.
            for pin in try readPins(db).values {
                // Whatever else somebody has pinned stays as it is.
                guard let poster = try? JSONBytes.decode(Poster.self, from: pin.value) else { continue }
                try db.execute(
                    sql: "UPDATE pin SET value = ? WHERE key = ?",
                    arguments: [Data(JSONBytes.encode(poster)), pin.key])
            }
        }
        return migrator
    }
}
