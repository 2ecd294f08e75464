import GRDB

/// The totals of the database, stored in the database itself so that no sum over all entries is needed.
struct DiskTally: Hashable, Sendable {
    var bytes: Int
    var entries: Int
    /// Counts uses; an entry's `lastUse` is the value at its last use. Unlike a wall clock, it never steps back.
    var uses: Int64

    static func read(_ db: Database) throws -> DiskTally {
        guard let row = try Row.fetchOne(db, sql: "SELECT bytes, entries, uses FROM tally") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table of sums is empty")
        }
        return DiskTally(bytes: row[0], entries: row[1], uses: row[2])
    }

    func write(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE tally SET bytes = ?, entries = ?, uses = ?")
            .execute(arguments: [bytes, entries, uses])
    }

    mutating func nextUse() -> Int64 {
        uses += 1
        return uses
    }
}
