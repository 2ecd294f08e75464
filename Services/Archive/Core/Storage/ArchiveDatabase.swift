import Storage

/// The database file of the archive, whose tables `Archive.md` describes.
enum ArchiveDatabase {
    static let schemaVersion = 3

    /// `applicationID` is "BOXA".
    static func file(in folder: String, lock: DataFolder?) -> DatabaseFile {
        DatabaseFile(
            name: "archive", path: folder + "/archive.sqlite", applicationID: 0x424F_5841, synchronous: .full,
            schema: schema, schemaVersion: schemaVersion, contents: "every chart and film that was archived",
            neighbours: ["archive."], lock: lock)
    }

    /// Days are ISO texts, which sort as days do; moments are milliseconds since 1970. A title has its own table, because
    /// a film's rows repeat it. An absent opening day is "" there: a unique index does not compare NULL.
    private static let schema = """
        CREATE TABLE chart (
            id INTEGER PRIMARY KEY, source TEXT NOT NULL, kind TEXT NOT NULL, firstDay TEXT NOT NULL,
            settledFrom INTEGER NOT NULL, edition INTEGER, attemptedAt INTEGER, attemptCode TEXT,
            UNIQUE (source, kind, firstDay)
        ) STRICT;
        CREATE INDEX chart_edition ON chart (edition);
        CREATE INDEX chart_known ON chart (source, kind, firstDay, edition);
        CREATE TABLE edition (
            id INTEGER PRIMARY KEY, chart INTEGER NOT NULL REFERENCES chart, firstSeen INTEGER NOT NULL,
            lastSeen INTEGER NOT NULL, entries INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX edition_chart ON edition (chart, firstSeen);
        CREATE TABLE title (
            id INTEGER PRIMARY KEY, code TEXT NOT NULL, title TEXT NOT NULL, openingDay TEXT NOT NULL,
            UNIQUE (code, title, openingDay)
        ) STRICT;
        CREATE TABLE entry (
            edition INTEGER NOT NULL REFERENCES edition, rowNumber INTEGER NOT NULL, rank INTEGER NOT NULL,
            rankChange INTEGER NOT NULL, presence TEXT NOT NULL, title INTEGER NOT NULL REFERENCES title,
            salesAmount INTEGER NOT NULL, salesShare REAL NOT NULL, salesChange INTEGER NOT NULL,
            salesChangePercent REAL NOT NULL, salesTotal INTEGER NOT NULL, audience INTEGER NOT NULL,
            audienceChange INTEGER NOT NULL, audienceChangePercent REAL NOT NULL, audienceTotal INTEGER NOT NULL,
            screens INTEGER NOT NULL, showings INTEGER NOT NULL,
            PRIMARY KEY (edition, rowNumber)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entry_title ON entry (title, edition);
        CREATE TABLE film (
            source TEXT NOT NULL, code TEXT NOT NULL, title TEXT NOT NULL, titleEnglish TEXT, titleOriginal TEXT,
            productionYear INTEGER, openingDay TEXT, openingText TEXT, status TEXT, type TEXT, runningMinutes INTEGER,
            nations TEXT NOT NULL, genres TEXT NOT NULL, directors TEXT NOT NULL, actors TEXT NOT NULL,
            showTypes TEXT NOT NULL, companies TEXT NOT NULL, ratings TEXT NOT NULL, seenAt INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (source, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE fill_order (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, firstDay TEXT NOT NULL, lastDay TEXT NOT NULL, rate INTEGER,
            details INTEGER NOT NULL, state TEXT NOT NULL, failed INTEGER NOT NULL, failure TEXT, requestedAt INTEGER NOT NULL
        ) STRICT;
        CREATE VIEW chart_entry AS
            SELECT source, kind, firstDay AS day, rowNumber, rank, rankChange, presence, code, title.title,
                openingDay, salesAmount, salesShare, salesChange, salesChangePercent, salesTotal, audience,
                audienceChange, audienceChangePercent, audienceTotal, screens, showings
            FROM chart JOIN entry USING (edition) JOIN title ON title.id = entry.title;
        """
}
