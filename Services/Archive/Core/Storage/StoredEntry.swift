import ArchiveMachine
import Domain
import GRDB
import Storage

/// A row of a chart as the tables `entry` and `title` hold it.
enum StoredEntry {
    /// The columns that `entry(_:from:)` reads, in its order.
    static let columns = """
        rowNumber, rank, rankChange, presence, code, title.title, openingDay, salesAmount, salesShare, salesChange,
        salesChangePercent, salesTotal, audience, audienceChange, audienceChangePercent, audienceTotal, screens, showings
        """
    static let count = 18

    /// - Parameter first: the position of `rowNumber`.
    static func entry(_ row: Row, from first: Int) throws -> ChartEntry {
        let opening: String = row[first + 6]
        return ChartEntry(
            rowNumber: row[first], rank: row[first + 1], rankChange: row[first + 2],
            presence: ChartPresence(rawValue: row[first + 3]), code: row[first + 4], title: row[first + 5],
            openingDay: Day(iso: opening), salesAmount: row[first + 7], salesShare: row[first + 8],
            salesChange: row[first + 9], salesChangePercent: row[first + 10], salesTotal: row[first + 11],
            audience: row[first + 12], audienceChange: row[first + 13], audienceChangePercent: row[first + 14],
            audienceTotal: row[first + 15], screens: row[first + 16], showings: row[first + 17])
    }

    static func insert(_ entry: ChartEntry, edition: Int64, _ db: Database) throws {
        let names: StatementArguments = [entry.code, entry.title, entry.openingDay?.iso ?? ""]
        let found = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM title WHERE code = ? AND title = ? AND openingDay = ?"),
            arguments: names)
        let title: Int64
        if let found {
            title = found
        } else {
            try db.cachedStatement(sql: "INSERT INTO title (code, title, openingDay) VALUES (?, ?, ?)")
                .execute(arguments: names)
            title = db.lastInsertedRowID
        }
        try db.cachedStatement(
            sql: "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            edition, entry.rowNumber, entry.rank, entry.rankChange, entry.presence.rawValue, title, entry.salesAmount,
            entry.salesShare, entry.salesChange, entry.salesChangePercent, entry.salesTotal, entry.audience,
            entry.audienceChange, entry.audienceChangePercent, entry.audienceTotal, entry.screens, entry.showings,
        ])
    }
}

extension [ChartEntry] {
    /// Detects rows that a disk has changed.
    var checksum: Int64 {
        var checksum = Checksum()
        for entry in self {
            checksum.add(entry.presence.rawValue)
            checksum.add(entry.code)
            checksum.add(entry.title)
            checksum.add(entry.openingDay?.iso ?? "")
            for number in [entry.rowNumber, entry.rank, entry.rankChange] { checksum.add(Int64(number)) }
            for number in [entry.salesAmount, entry.salesChange, entry.salesTotal] { checksum.add(number) }
            for number in [entry.audience, entry.audienceChange, entry.audienceTotal, entry.screens, entry.showings] {
                checksum.add(Int64(number))
            }
            for number in [entry.salesShare, entry.salesChangePercent, entry.audienceChangePercent] {
                checksum.add(number)
            }
        }
        return checksum.value
    }
}
