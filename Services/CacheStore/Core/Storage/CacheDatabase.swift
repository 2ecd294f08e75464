import GRDB

/// The database file of the disk tier.
enum CacheDatabase {
    /// `applicationID` is "BOXC".
    static func file(at path: String) -> DatabaseFile {
        DatabaseFile(name: "cache", path: path, applicationID: 0x424F_5843, synchronous: .normal, migrator: migrator)
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
        migrator.registerMigration("2 nulls") { db in
            // Parts stored before leave out what they do not know; they can all be fetched again.
            try db.execute(
                sql: "DELETE FROM payload; DELETE FROM entry; UPDATE tally SET bytes = 0, entries = 0")
        }
        return migrator
    }
}
