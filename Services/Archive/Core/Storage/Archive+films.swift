public import Domain
public import Envelope
import GRDB
import Storage

extension Archive {
    /// Records a film's detail in place of an earlier one, and returns after the commit.
    ///
    /// - Parameter seenAt: when it was fetched, in milliseconds since 1970; an older detail changes nothing.
    public func record(_ film: FilmDetail, _ source: DataSource, seenAt: Int64) async throws {
        let row = try StoredFilm(film)
        try await write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO film VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (source, code) DO UPDATE SET
                        \(StoredFilm.columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")),
                        seenAt = excluded.seenAt, checksum = excluded.checksum
                    WHERE excluded.seenAt >= seenAt
                    """
            ).execute(arguments: [source.rawValue, film.code] + row.arguments + [seenAt, row.checksum])
        }
    }

    /// The codes of the films of a range of charts whose details are not known, in order.
    public func filmsWithoutDetail(
        _ world: DataWorld, _ kind: ChartKind, in days: ClosedRange<Day>
    ) async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT code FROM chart_entry
                        WHERE source IN (?, ?) AND kind = ? AND day BETWEEN ? AND ?
                            AND code NOT IN (SELECT code FROM film WHERE source IN (?, ?))
                        ORDER BY code
                        """),
                arguments: world.arguments + [kind.rawValue, days.lowerBound.iso, days.upperBound.iso]
                    + world.arguments)
        }
    }

    /// Removes details that a disk has changed: they can be fetched again.
    ///
    /// - Returns: the codes of their films.
    static func removeDamagedFilms(_ db: Database) throws -> [String] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT source, code, checksum, \(StoredFilm.columns.joined(separator: ", ")) FROM film")
        return try rows.compactMap { row in
            guard StoredFilm(row, from: 3).checksum != row[2] else { return nil }
            try db.execute(
                sql: "DELETE FROM film WHERE source = ? AND code = ?", arguments: [row[0] as String, row[1] as String])
            return row[1]
        }
    }
}

/// A film's detail as the table `film` holds it: lists are JSON arrays.
struct StoredFilm: Sendable {
    static let columns = [
        "title", "titleEnglish", "titleOriginal", "productionYear", "openingDay", "openingText", "status", "type",
        "runningMinutes", "nations", "genres", "directors", "actors", "showTypes", "companies", "ratings",
    ]

    private let values: [DatabaseValue]

    init(_ film: FilmDetail) throws {
        func list(_ items: some Encodable) throws -> String {
            String(decoding: try JSONBytes.encode(items), as: UTF8.self)
        }
        let values: [(any DatabaseValueConvertible)?] = [
            film.title, film.titleEnglish, film.titleOriginal, film.productionYear, film.openingDay?.iso,
            film.openingText, film.status, film.type, film.runningMinutes, try list(film.nations),
            try list(film.genres), try list(film.directors), try list(film.actors), try list(film.showTypes),
            try list(film.companies), try list(film.ratings),
        ]
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    /// - Parameter first: the position of `title`.
    init(_ row: Row, from first: Int) {
        values = Self.columns.indices.map { row[first + $0] as DatabaseValue }
    }

    var arguments: StatementArguments { StatementArguments(values) }

    var checksum: Int64 {
        var checksum = Checksum()
        // A number and its text are different values.
        for value in values { checksum.add(value.description) }
        return checksum.value
    }
}
