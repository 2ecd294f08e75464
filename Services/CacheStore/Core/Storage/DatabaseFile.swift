import Foundation
import GRDB
import Logging
import ProcessKit

/// A SQLite file of ours in WAL mode: its mark, its settings, its schema, and what becomes of it when it cannot be used.
struct DatabaseFile: Sendable {
    enum Synchronous: Int, Sendable {
        /// A power cut may cost the last commits, never the file.
        case normal = 1
        /// What is committed survives a power cut, too; each commit waits for the device.
        case full = 2
    }

    /// "cache" or "state": for messages and metadata.
    let name: String
    let path: String
    /// In SQLite's header; tells our file from another program's database.
    let applicationID: Int
    let synchronous: Synchronous
    /// The statements that make its tables.
    let schema: String
    /// What is lost with it, in words for the log.
    let contents: String

    /// The version of the schemas, kept in SQLite's `user_version`; builds before the first release wrote 0.
    static let schemaVersion = 1

    /// Opens the database and makes folder, file and tables that are missing.
    ///
    /// A damaged file, or one of a build before the first release, is moved aside, with a word in the log, and a fresh one
    /// takes its place.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970, for the name of a file that is moved aside.
    ///   - prepare: what the opener wants to know or to mend at once; what it throws is a failure of opening.
    /// - Returns: the open database, what `prepare` returned, and the name of a file that was moved aside.
    /// - Throws: `StorageError`; `newer` or `foreign` for a sound file that this program must not touch.
    func open<Value: Sendable>(
        logger: Logger, at now: Int64, prepare: @escaping @Sendable (Database) throws -> Value
    ) async throws -> (pool: DatabasePool, value: Value, aside: String?) {
        do {
            let (pool, value) = try await blockingCall {
                try makeFolder()
                return try openFile(prepare)
            }
            return (pool, value, nil)
        } catch let error as StorageError where error.code == .corrupt {
            let aside = try await setAside(because: error, logger: logger, at: now)
            let (pool, value) = try await blockingCall { try openFile(prepare) }
            return (pool, value, aside)
        }
    }

    /// Renames the database to `<path>.corrupt-<now>`; no connection may be open.
    ///
    /// - Returns: its new path.
    func setAside(because error: StorageError, logger: Logger, at now: Int64) async throws -> String {
        let aside = "\(path).corrupt-\(now)"
        try await blockingCall { try move(to: aside) }
        logger.error(
            "the \(name) database cannot be used and was moved aside; \(contents) is lost",
            metadata: ["\(name).reason": "\(error)", "\(name).aside": "\(aside)"])
        return aside
    }

    private func makeFolder() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            // Whatever the umask: what people looked at is nobody else's business.
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            closeToOthers(folder)
        } catch {
            throw StorageError(.notWritable, "the folder \(folder) cannot be made: \(error)", underlying: error)
        }
    }

    /// A folder that is open is closed if it holds our files and nothing else; it may be a shared one otherwise. The file is
    /// closed wherever it lies, and SQLite gives its `-wal` and `-shm` the same mode.
    ///
    /// Whose folder or file this is not, cannot do that, and may use them all the same.
    private func closeToOthers(_ folder: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        if !names.isEmpty, names.allSatisfy({ $0.hasPrefix("cache.sqlite") || $0.hasPrefix("state.sqlite") }) {
            try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        }
        if files.fileExists(atPath: path) {
            try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } else {
            _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
    }

    /// The pool of a failed attempt is closed by leaving this scope, before anyone moves its file: a connection
    /// deletes its `-wal` by name when it closes, and that name would be the new file's.
    private func openFile<Value>(
        _ prepare: @Sendable (Database) throws -> Value
    ) throws -> (pool: DatabasePool, value: Value) {
        do {
            let pool = try openPool()
            return (pool, try pool.write(prepare))
        } catch {
            throw StorageError(error, path: path)
        }
    }

    private func openPool() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = name
        configuration.maximumReaderCount = 2
        // A predecessor that is still draining, or a person with a shell, may hold the file for a moment.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { db in
            if !db.configuration.readonly { try check(db) }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // Here and not in `prepareDatabase`, because the pool sets its own value after that.
            try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            try verify(db)
        }
        try pool.write(makeTables)
        return pool
    }

    /// Refuses a database of another program or version before anything in it is changed.
    private func check(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let objects = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard found == applicationID || (found == 0 && objects == 0) else {
            throw StorageError(.foreign, "\(path) is a database of another program")
        }
        guard version <= Self.schemaVersion else {
            throw StorageError(
                .newer,
                "\(path) has schema \(version), and this program (\(ProductVersion.current)) knows schemas up to "
                    + "\(Self.schemaVersion)")
        }
        guard version == Self.schemaVersion || objects == 0 else {
            throw StorageError(.corrupt, "\(path) is of a build before the first release")
        }
    }

    private func makeTables(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") != Self.schemaVersion else { return }
        try db.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(Self.schemaVersion);
                \(schema)
                """)
    }

    private func verify(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let journalMode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        guard found == synchronous.rawValue, journalMode == "wal" else {
            throw StorageError(
                .failed, "\(path): SQLite keeps synchronous \(found ?? -1) and journal mode \(journalMode ?? "none")")
        }
    }

    private func move(to aside: String) throws {
        // The log and its index go along, so that the moved database is whole for whoever looks into it.
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            do {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: aside + suffix)
            } catch {
                throw StorageError(
                    .notWritable, "\(path + suffix) cannot be moved aside: \(error)", underlying: error)
            }
        }
    }
}
