internal import Foundation
public import GRDB
public import Logging
public import ProcessKit

/// A SQLite file of this program in WAL mode: its identification, settings and schema, and its replacement when
/// unusable.
public struct DatabaseFile: Sendable {
    public enum Synchronous: Int, Sendable {
        /// A power failure may lose the last commits, never the file.
        case normal = 1
        /// Commits survive a power failure; each one waits for the device.
        case full = 2
    }

    /// For example "cache": for messages and metadata.
    let name: String
    public let path: String
    /// In SQLite's header; distinguishes this file from another program's database.
    public let applicationID: Int
    let synchronous: Synchronous
    /// The statements that create its tables.
    let schema: String
    /// Of the schema, kept in SQLite's `user_version`; a lower one belongs to a build before the first release.
    public let schemaVersion: Int
    /// A description of its contents for the log.
    let contents: String
    /// What the names of the files begin with that may lie in its folder: one with other files stays open to others.
    let neighbours: [String]
    /// The lock without which it is not opened.
    public var lock: DataFolder?

    public init(
        name: String, path: String, applicationID: Int, synchronous: Synchronous, schema: String, schemaVersion: Int,
        contents: String, neighbours: [String], lock: DataFolder? = nil
    ) {
        self.name = name
        self.path = path
        self.applicationID = applicationID
        self.synchronous = synchronous
        self.schema = schema
        self.schemaVersion = schemaVersion
        self.contents = contents
        self.neighbours = neighbours
        self.lock = lock
    }

    /// Opens the database and creates missing folder, file and tables.
    ///
    /// A damaged file, or one of a build before the first release, is moved aside, logged, and replaced by a new one.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970, for the name of a file that is moved aside.
    ///   - prepare: reads or repairs data in the first transaction; an error that it throws is a failure of opening.
    /// - Returns: the open database, which file it is, what `prepare` returned, and the name of a file that was moved aside.
    /// - Throws: `StorageError`; `newer` or `foreign` for an intact file that this program must not change.
    public func open<Value: Sendable>(
        logger: Logger, at now: Int64, prepare: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Opened<Value> {
        try await lock?.keepLock()
        do {
            return try await runBlocking {
                try makeFolder()
                return try openFile(prepare)
            }
        } catch let error as StorageError where error.code == .corrupt {
            let aside = try await setAside(because: error, logger: logger, at: now)
            var opened = try await runBlocking { try openFile(prepare) }
            opened.aside = aside
            return opened
        }
    }

    /// An open database.
    public struct Opened<Value: Sendable>: Sendable {
        public let pool: DatabasePool
        public let identity: FileIdentity?
        /// What `prepare` returned.
        public let value: Value
        /// The new path of an unusable file that was moved aside.
        public fileprivate(set) var aside: String?
    }

    /// Whether the path still names this file: what is written into a deleted one is lost.
    public func isInPlace(_ identity: FileIdentity?) -> Bool { identity != nil && FileIdentity(path: path) == identity }

    /// Renames the database to `<path>.corrupt-<now>`; no connection may be open.
    ///
    /// - Returns: its new path.
    public func setAside(because error: StorageError, logger: Logger, at now: Int64) async throws -> String {
        let aside = "\(path).corrupt-\(now)"
        try await runBlocking { try move(to: aside) }
        logger.error(
            "the \(name) database cannot be used and was moved aside; \(contents) is lost",
            metadata: ["\(name).reason": "\(error)", "\(name).aside": "\(aside)"])
        return aside
    }

    private func makeFolder() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            // Private whatever the umask: the contents show what users have viewed.
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            closeToOthers(folder)
        } catch {
            throw StorageError(.notWritable, "the folder \(folder) cannot be made: \(error)", underlying: error)
        }
    }

    /// Restricts access to this user. A folder is restricted only if it holds nothing but this program's files;
    /// otherwise it may be a shared one. SQLite creates `-wal` and `-shm` with the file's mode.
    ///
    /// Failures are ignored: a user that does not own the folder or file may still use them.
    private func closeToOthers(_ folder: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        if !names.isEmpty, names.allSatisfy({ name in neighbours.contains { name.hasPrefix($0) } }) {
            try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        }
        if files.fileExists(atPath: path) {
            try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } else {
            _ = files.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
    }

    /// The pool of a failed attempt is closed at the end of this scope, before its file is moved: a connection deletes
    /// its `-wal` by name when it closes, and that name would belong to the new file.
    private func openFile<Value>(_ prepare: @Sendable (Database) throws -> Value) throws -> Opened<Value> {
        do {
            let pool = try openPool()
            let identity = FileIdentity(path: path)
            return Opened(pool: pool, identity: identity, value: try pool.write(prepare))
        } catch {
            throw StorageError(error, path: path)
        }
    }

    private func openPool() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = name
        configuration.maximumReaderCount = 2
        // A predecessor that is still draining, or a user's SQLite shell, may lock the file for a moment.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { db in
            if !db.configuration.readonly { try check(db) }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // Not in `prepareDatabase`, because the pool sets its own value after that.
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
        guard version <= schemaVersion else {
            throw StorageError(
                .newer,
                "\(path) has schema \(version), and this program (\(ProductVersion.current)) knows schemas up to "
                    + "\(schemaVersion)")
        }
        guard version == schemaVersion || objects == 0 else {
            throw StorageError(.corrupt, "\(path) is of a build before the first release")
        }
    }

    private func makeTables(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") != schemaVersion else { return }
        try db.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(schemaVersion);
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
        // The log and its index are moved, too, so that the moved database is complete for analysis.
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
