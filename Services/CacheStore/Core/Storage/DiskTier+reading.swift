import Foundation
import GRDB
import Storage

extension DiskTier {
    /// Reads the entries, fresh or not, in one transaction: a consistent snapshot.
    ///
    /// Keys that are not stored have no entry. Reading does not count as a use for the eviction; see `put`.
    ///
    /// - Returns: the entries, and the keys of damaged entries, which count as missing.
    func read(_ keys: [String]) async throws -> (entries: [String: CacheEntry], damaged: [String]) {
        try await withStorageErrors {
            try await pool.read { db in
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT attributes, storedAt, freshUntil, fetchedBy, value, checksum
                        FROM entry JOIN payload USING (id) WHERE key = ?
                        """)
                var found: [String: CacheEntry] = [:]
                var damaged: [String] = []
                for key in keys {
                    let rows = try Row.fetchCursor(statement, arguments: [Data(key.utf8)])
                    guard let row = try rows.next() else { continue }
                    if let entry = try Self.entry(key: key, row) { found[key] = entry } else { damaged.append(key) }
                }
                return (found, damaged)
            }
        }
    }

    /// Nil for a damaged row.
    private static func entry(key: String, _ row: Row) throws -> CacheEntry? {
        let text: String? = row[0]
        var attributes: [String: String] = [:]
        if let text {
            // The error's reason is irrelevant: this store wrote JSON, so the row is damaged.
            guard let read = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8)) else { return nil }
            attributes = read
        }
        let entry = CacheEntry(
            key: key,
            value: try row.withUnsafeData(atIndex: 4) { data in data.map { [UInt8]($0) } ?? [] },
            attributes: attributes, storedAt: row[1], freshUntil: row[2], fetchedBy: row[3])
        return entry.checksum == row[5] ? entry : nil
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
