import CacheStoreMachine
import Contracts
import Domain
import Envelope
import Foundation
import GRDB
import Storage

/// The database of data that is never evicted: counted calls and pinned entries.
///
/// It is separate from the cache so that clearing, replacing or losing the cache does not affect it.
enum StateDatabase {
    /// `applicationID` is "BOXS".
    static func file(in folder: String) -> DatabaseFile {
        DatabaseFile(
            name: "state", path: folder + "/state.sqlite", applicationID: 0x424F_5853, synchronous: .full,
            schema: schema, schemaVersion: CacheDatabase.schemaVersion,
            contents: "what was pinned and the count of the day's calls", neighbours: CacheDatabase.files)
    }

    private static let schema = """
        CREATE TABLE quota (
            upstream TEXT NOT NULL, key TEXT NOT NULL, day INTEGER NOT NULL, used INTEGER NOT NULL,
            callLimit INTEGER NOT NULL, exhaustedAt REAL, probedAt REAL, checksum INTEGER NOT NULL,
            PRIMARY KEY (upstream, key)
        ) STRICT;
        CREATE TABLE pin (
            key TEXT PRIMARY KEY, value BLOB NOT NULL, source TEXT NOT NULL, pinnedAt INTEGER NOT NULL,
            pinnedBy TEXT NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// Removes damaged rows and rows with implausible numbers.
    ///
    /// - Returns: how many rows were removed.
    static func removeDamaged(_ db: Database) throws -> (balances: Int, pins: Int) {
        var removed = (balances: 0, pins: 0)
        for row in try Row.fetchAll(db, sql: "SELECT rowid, * FROM quota") where balance(row) == nil {
            try db.execute(sql: "DELETE FROM quota WHERE rowid = ?", arguments: [row["rowid"]])
            removed.balances += 1
        }
        for row in try Row.fetchAll(db, sql: "SELECT rowid, * FROM pin") where pin(row) == nil {
            try db.execute(sql: "DELETE FROM pin WHERE rowid = ?", arguments: [row["rowid"]])
            removed.pins += 1
        }
        return removed
    }

    static func readBalances(_ db: Database) throws -> [QuotaAccount: QuotaBalance] {
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM quota")
        return Dictionary(rows.compactMap(balance), uniquingKeysWith: { $1 })
    }

    /// Nil for a damaged row, or one with an implausible number.
    private static func balance(_ row: Row) -> (QuotaAccount, QuotaBalance)? {
        let account = QuotaAccount(upstream: row["upstream"], key: row["key"])
        let balance = QuotaBalance(
            day: Day(daysSinceEpoch: row["day"]), used: row["used"], limit: row["callLimit"],
            exhaustedAt: row["exhaustedAt"], probedAt: row["probedAt"])
        guard balance.checksum(of: account) == row["checksum"], balance.isPossible else { return nil }
        return (account, balance)
    }

    /// Changes when another process has committed; see the pragma of this name in SQLite's manual.
    static func readVersion(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "PRAGMA data_version")
    }

    /// - Parameters:
    ///   - version: of this process's latest access to the file.
    ///   - isFinal: gives back calls that were counted ahead; never those that another process relies on.
    /// - Returns: the version of this access.
    static func write(
        _ balances: [QuotaAccount: QuotaBalance], since version: Int?, isFinal: Bool = false, _ db: Database
    ) throws -> Int? {
        let current = try readVersion(db)
        let isAlone = current == version
        // What the other process found in the file includes what this one has counted.
        if isFinal, !isAlone { return current }
        for (account, balance) in balances {
            let held = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM quota WHERE upstream = ? AND key = ?"),
                arguments: [account.upstream, account.key])
            var written = balance
            // A predecessor that is still draining may have counted until now.
            if !isAlone, let held = held.flatMap(Self.balance)?.1, held.day == balance.day {
                written.used = max(held.used, balance.used)
            }
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO quota VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
                .execute(arguments: [
                    account.upstream, account.key, written.day.daysSinceEpoch, written.used, written.limit,
                    written.exhaustedAt, written.probedAt, written.checksum(of: account),
                ])
        }
        return current
    }

    static func readPins(_ db: Database) throws -> [String: CacheEntry] {
        let pins = try Row.fetchAll(db, sql: "SELECT * FROM pin").compactMap(pin)
        return Dictionary(pins.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    /// Nil for a damaged row.
    private static func pin(_ row: Row) -> CacheEntry? {
        let pin = CacheEntry(
            key: row["key"], value: Array(row["value"] as Data),
            attributes: DataSource(rawValue: row["source"]).attributes, storedAt: row["pinnedAt"], freshUntil: .max,
            fetchedBy: row["pinnedBy"])
        return pin.checksum == row["checksum"] ? pin : nil
    }

    static func write(_ pin: CacheEntry, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO pin VALUES (?, IFNULL(?, x''), ?, ?, ?, ?)",
            arguments: [
                pin.key, Data(pin.value), DataSource(attributes: pin.attributes).rawValue, pin.storedAt, pin.fetchedBy,
                pin.checksum,
            ])
    }

    static func removePin(under key: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM pin WHERE key = ?", arguments: [key])
    }
}

extension QuotaBalance {
    fileprivate func checksum(of account: QuotaAccount) -> Int64 {
        var checksum = Checksum()
        checksum.add(account.upstream)
        checksum.add(account.key)
        for number in [day.daysSinceEpoch, used, limit] { checksum.add(Int64(number)) }
        checksum.add(exhaustedAt)
        checksum.add(probedAt)
        return checksum.value
    }
}
