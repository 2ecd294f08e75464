import Foundation
import GRDB
import Logging

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
    let migrator: DatabaseMigrator

    /// Opens the database and makes folder, file and tables that are missing.
    ///
    /// A damaged or foreign file is moved aside, with a word in the log, and a fresh one takes its place.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970, for the name of a file that is moved aside.
    ///   - read: what the opener wants to know at once; what it throws is a failure of opening.
    func open<Value: Sendable>(
        logger: Logger, at now: Int64, read: @escaping @Sendable (Database) throws -> Value
    ) async throws -> (pool: DatabasePool, value: Value) {
        do {
            return try await blockingCall {
                try makeFolder()
                return try openFile(read)
            }
        } catch let error as StorageError where error.code == .corrupt || error.code == .foreign {
            try await setAside(because: error, logger: logger, at: now)
            return try await blockingCall { try openFile(read) }
        }
    }

    /// Renames the database to `<path>.corrupt-<now>`; no connection may be open.
    func setAside(because error: StorageError, logger: Logger, at now: Int64) async throws {
        let aside = "\(path).corrupt-\(now)"
        try await blockingCall { try move(to: aside) }
        logger.error(
            "the \(name) database cannot be used and was moved aside",
            metadata: ["\(name).reason": "\(error)", "\(name).aside": "\(aside)"])
    }

    private func makeFolder() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw StorageError(.notWritable, "the folder \(folder) cannot be made: \(error)", underlying: error)
        }
    }

    /// The pool of a failed attempt is closed by leaving this scope, before anyone moves its file: a connection
    /// deletes its `-wal` by name when it closes, and that name would be the new file's.
    private func openFile<Value>(
        _ read: @Sendable (Database) throws -> Value
    ) throws -> (pool: DatabasePool, value: Value) {
        do {
            let pool = try openPool()
            return (pool, try pool.read(read))
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
            if !db.configuration.readonly { try mark(db) }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // Here and not in `prepareDatabase`, because the pool sets its own value after that.
            try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
            try verify(db)
        }
        try migrator.migrate(pool)
        if try pool.read(migrator.hasBeenSuperseded) {
            throw StorageError(.foreign, "\(path) was written by a later version of this program")
        }
        return pool
    }

    /// Marks an empty database as ours and refuses one of another program before anything in it is changed.
    private func mark(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if found == applicationID { return }
        let objects = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard found == 0, objects == 0 else {
            throw StorageError(.foreign, "\(path) is a database of another program")
        }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
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
