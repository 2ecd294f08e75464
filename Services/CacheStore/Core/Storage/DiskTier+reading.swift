import Foundation
import GRDB

extension DiskTier {
    /// Reads the entries, fresh or not, in one transaction: all of them as they were at one moment.
    ///
    /// A key that is not stored is not in the answer. Reading alone is no use in the sense of the eviction; see `put`.
    public func entries(for keys: [String]) async throws -> [String: CacheEntry] {
        try await withStorageErrors {
            try await pool.read { db in
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT attributes, storedAt, freshUntil, fetchedBy, value
                        FROM entry JOIN payload USING (id) WHERE key = ?
                        """)
                var found: [String: CacheEntry] = [:]
                for key in keys {
                    let rows = try Row.fetchCursor(statement, arguments: [Data(key.utf8)])
                    if let row = try rows.next() { found[key] = try Self.entry(key: key, row) }
                }
                return found
            }
        }
    }

    private static func entry(key: String, _ row: Row) throws -> CacheEntry {
        let facts: String? = row[0]
        return CacheEntry(
            key: key,
            value: try row.withUnsafeData(atIndex: 4) { data in data.map { [UInt8]($0) } ?? [] },
            attributes: try facts.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) } ?? [:],
            storedAt: row[1], freshUntil: row[2], fetchedBy: row[3])
    }

    func withStorageErrors<Result>(_ access: () async throws -> Result) async throws -> Result {
        do {
            return try await access()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StorageError(error, path: configuration.path)
        }
    }
}
