import GRDB
import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct RemovalTests {
    private static let keys = [
        "chart.daily?date=1", "chart.daily?date=2", "chart.weekly?date=1", "movie.detail?code=1", "chartreuse?x=1",
    ]

    @Test(arguments: [
        ("chart", ["chart.daily?date=1", "chart.daily?date=2", "chart.weekly?date=1"]),
        ("chart.daily", ["chart.daily?date=1", "chart.daily?date=2"]), ("chart.daily?date=2", ["chart.daily?date=2"]),
        ("chart.", []), ("chart_", []), ("chart%", []), ("", []), ("poster", []), ("chartreuse", ["chartreuse?x=1"]),
    ])
    func `exactly the selected entries are removed from both tiers`(what: String, removed: [String]) async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            for key in Self.keys { _ = await store.put(.sample(key)) }
            #expect(try await store.remove(CacheSelection(what)) == removed.count)
            let left = try await store.entries(for: Self.keys, at: 0).map(\.key)
            #expect(left == Self.keys.filter { !removed.contains($0) })
            let statistics = await store.statistics
            #expect(statistics.disk.entries == left.count && statistics.disk.bytes == 100 * left.count)
            #expect(statistics.memory["other"]?.entries == left.count)
            await store.close()
            let reopened = try await TieredStore.open(in: folder)
            #expect(try await reopened.entries(for: Self.keys, at: 0).map(\.key) == left)
        }
    }

    @Test func `removing everything shrinks the file`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            for number in 0..<100 { _ = await store.put(.sample("movie?\(number)", size: 10_000)) }
            #expect(try await store.remove(.everything) == 100)
            let pages = try await store.disk?.pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") }
            #expect((pages ?? .max) < 20)
            #expect(await store.put(.sample("movie?1")) == .stored)
        }
    }

    @Test func `without a disk the entries in memory are removed`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: "/dev/null/\(folder)")
            _ = await store.put(.sample("movie?1"))
            #expect(try await store.remove(.family("movie")) == 1)
            #expect(try await store.entries(for: ["movie?1"], at: 0).isEmpty)
        }
    }

    @Test func `a concurrent read does not restore a removed entry`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, memory: TierBound(bytes: 1 << 20, entries: 1))
            _ = await store.put(.sample("movie?1"))
            _ = await store.put(.sample("movie?2"))
            for _ in 0..<50 {
                async let read = store.entries(for: ["movie?1"], at: 0)
                _ = try await store.remove(.key("movie?1"))
                _ = try await read
                #expect(try await store.entries(for: ["movie?1"], at: 0).isEmpty)
                _ = await store.put(.sample("movie?1"))
                _ = await store.put(.sample("movie?2"))
            }
        }
    }
}
