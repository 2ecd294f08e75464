import Foundation
import GRDB
import Testing

@testable import CacheStoreCore

extension TestStack {
    /// Makes every stored entry stale by that many seconds.
    func ageCache(bySeconds seconds: Int) async throws {
        try await withoutStore {
            let database = try DatabaseQueue(path: "\(runFolder)/cache/cache.sqlite")
            let past = Int64(Date().timeIntervalSince1970 * 1000) - Int64(seconds) * 1000
            try database.write { db in
                try db.execute(sql: "UPDATE entry SET storedAt = ? - 1000, freshUntil = ?", arguments: [past, past])
                try Self.sign(db)
            }
            try database.close()
        }
    }

    /// Replaces a text in a stored value, and keeps its freshness.
    func changeCache(_ key: String, _ text: String, into other: String) async throws {
        try await withoutStore {
            let database = try DatabaseQueue(path: "\(runFolder)/cache/cache.sqlite")
            try database.write { db in
                let stored = try #require(
                    try Data.fetchOne(
                        db, sql: "SELECT value FROM payload JOIN entry USING (id) WHERE key = ?",
                        arguments: [Data(key.utf8)]))
                let value = String(decoding: stored, as: UTF8.self)
                try #require(value.contains(text))
                try db.execute(
                    sql: "UPDATE payload SET value = ? WHERE id = (SELECT id FROM entry WHERE key = ?)",
                    arguments: [Data(value.replacing(text, with: other).utf8), Data(key.utf8)])
                try Self.sign(db)
            }
            try database.close()
        }
    }

    /// Updates the checksum of every entry.
    private static func sign(_ db: Database) throws {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM entry JOIN payload USING (id)") {
            let attributes: String? = row["attributes"]
            let entry = CacheEntry(
                key: String(decoding: row["key"] as Data, as: UTF8.self), value: Array(row["value"] as Data),
                attributes: try attributes.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
                    ?? [:],
                storedAt: row["storedAt"], freshUntil: row["freshUntil"], fetchedBy: row["fetchedBy"])
            try db.execute(sql: "UPDATE entry SET checksum = ? WHERE id = ?", arguments: [entry.checksum, row["id"]])
        }
    }

    /// Runs `body` while no process has the cache's files open.
    func withoutStore(_ body: () throws -> Void) async throws {
        #expect(try await launcher(["scale", "cache-store=0"]).status == 0)
        try body()
        #expect(try await launcher(["scale", "cache-store=1"]).status == 0)
    }
}
