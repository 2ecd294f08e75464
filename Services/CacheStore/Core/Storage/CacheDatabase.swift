import GRDB

/// The database file of the disk tier: its settings, its mark and its schema.
enum CacheDatabase {
    /// "BOXC" in SQLite's header tells our file from another program's database.
    static let applicationID = 0x424F_5843

    /// Opens or makes the database; blocks, and throws what SQLite or the checks say.
    static func open(path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "cache"
        configuration.maximumReaderCount = 2
        // A predecessor that is still draining, or a person with a shell, may hold the file for a moment.
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { db in
            if !db.configuration.readonly { try mark(db, path: path) }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // Here and not in `prepareDatabase`, because the pool sets its own value after that.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try verify(db, path: path)
        }
        try migrator.migrate(pool)
        if try pool.read(migrator.hasBeenSuperseded) {
            throw StorageError(.foreign, "\(path) was written by a later version of this program")
        }
        return pool
    }

    /// Marks an empty database as ours and refuses one of another program before anything in it is changed.
    private static func mark(_ db: Database, path: String) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if found == applicationID { return }
        let objects = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard found == 0, objects == 0 else {
            throw StorageError(.foreign, "\(path) is a database of another program")
        }
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }

    private static func verify(_ db: Database, path: String) throws {
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let journalMode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        guard synchronous == 1, journalMode == "wal" else {
            throw StorageError(
                .failed,
                "\(path): SQLite keeps synchronous \(synchronous ?? -1) and journal mode \(journalMode ?? "none")")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 entries") { db in
            // Keys are blobs because a bound text ends at its first NUL. Payloads lie in a table of their own, or
            // noting a use would write the whole payload again.
            try db.execute(
                sql: """
                    CREATE TABLE entry (
                        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, kind TEXT NOT NULL,
                        attributes TEXT, storedAt INTEGER NOT NULL, freshUntil INTEGER NOT NULL,
                        fetchedBy TEXT NOT NULL, size INTEGER NOT NULL, lastUse INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX entry_lastUse ON entry (lastUse);
                    CREATE TABLE payload (id INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
                    CREATE TABLE tally (bytes INTEGER NOT NULL, entries INTEGER NOT NULL, uses INTEGER NOT NULL) STRICT;
                    INSERT INTO tally VALUES (0, 0, 0);
                    """)
        }
        return migrator
    }
}
