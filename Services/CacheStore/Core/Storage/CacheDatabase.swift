import Storage

/// The database file of the disk tier.
enum CacheDatabase {
    /// Of both databases of the folder.
    static let schemaVersion = 3
    /// The files of both databases, and the lock.
    static let files = ["cache.", "state.sqlite"]

    /// `applicationID` is "BOXC".
    static func file(at path: String) -> DatabaseFile {
        DatabaseFile(
            name: "cache", path: path, applicationID: 0x424F_5843, synchronous: .normal, schema: schema,
            schemaVersion: schemaVersion, contents: "everything that was cached", neighbours: files)
    }

    /// Keys are blobs because a bound text ends at its first NUL. Payloads have their own table, because otherwise
    /// recording a use would write the whole payload again.
    private static let schema = """
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, kind TEXT NOT NULL,
            attributes TEXT, storedAt INTEGER NOT NULL, freshUntil INTEGER NOT NULL,
            fetchedBy TEXT NOT NULL, checksum INTEGER NOT NULL, size INTEGER NOT NULL, lastUse INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX entry_lastUse ON entry (lastUse);
        CREATE TABLE payload (id INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
        CREATE TABLE tally (bytes INTEGER NOT NULL, entries INTEGER NOT NULL, uses INTEGER NOT NULL) STRICT;
        INSERT INTO tally VALUES (0, 0, 0);
        """
}
