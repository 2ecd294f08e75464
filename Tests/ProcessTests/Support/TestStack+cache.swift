import Foundation
import GRDB
import Testing

extension TestStack {
    /// Lets everything that is stored be past its freshness for so long.
    func ageCache(bySeconds seconds: Int) async throws {
        try await withoutStore {
            let database = try DatabaseQueue(path: "\(runFolder)/cache/cache.sqlite")
            let past = Int64(Date().timeIntervalSince1970 * 1000) - Int64(seconds) * 1000
            try database.write { db in
                try db.execute(sql: "UPDATE entry SET storedAt = ? - 1000, freshUntil = ?", arguments: [past, past])
            }
            try database.close()
        }
    }

    /// Does something to the cache's files while nobody has them open.
    func withoutStore(_ body: () throws -> Void) async throws {
        #expect(try await launcher(["scale", "cache-store=0"]).status == 0)
        try body()
        #expect(try await launcher(["scale", "cache-store=1"]).status == 0)
    }
}
