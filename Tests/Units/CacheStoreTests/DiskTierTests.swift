import GRDB
import Storage
import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct DiskTierTests {
    @Test(arguments: [[], [0], [0xFF, 0x00, 0x0A, 0xC3], Array(0...255), [UInt8](repeating: 0xA5, count: 200_000)])
    func `payloads are read byte for byte`(value: [UInt8]) async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            let entry = CacheEntry(
                key: "chart.daily?date=2022-01-05&제목=경관의 피", value: value,
                attributes: ["films": "20199882,2021A001", "": "\"\u{0}\\/한글\n"],
                storedAt: 1_641_340_800_123, freshUntil: .max, fetchedBy: "chart-fetcher/1")
            #expect(try await tier.put([entry]).writes == [.stored])
            #expect(try await tier.entries(for: [entry.key]) == [entry.key: entry])
        }
    }

    @Test func `keys are compared in every byte`() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            let keys = ["", "k", "k\u{0}", "k\u{0}a", "K", "k "]
            let entries = keys.enumerated().map { CacheEntry.sample($1, fill: UInt8($0)) }
            _ = try await tier.put(entries)
            let found = try await tier.entries(for: keys)
            #expect(keys.map { found[$0] } == entries)
        }
    }

    @Test func `entries survive a new pool on the same folder`() async throws {
        try await withTemporaryFolder { folder in
            let first = try await DiskTier.open(in: folder)
            _ = try await first.put([.sample("movie?1"), .sample("movie?2")])
            // Not closed: the second pool reads the files as a killed process leaves them.
            let second = try await DiskTier.open(in: folder)
            #expect(try await second.entries(for: ["movie?1", "movie?2"]).count == 2)
            #expect(second.openingTally == DiskTally(bytes: 200, entries: 2, uses: 2))
        }
    }

    @Test func `the connection writes WAL with synchronous NORMAL`() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            let settings = try await tier.pool.writeWithoutTransaction { db in
                [
                    try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                    try String.fetchOne(db, sql: "PRAGMA synchronous"),
                    try String.fetchOne(db, sql: "PRAGMA application_id"),
                ]
            }
            #expect(settings == ["wal", "1", "\(CacheDatabase.file(at: "").applicationID)"])
        }
    }

    @Test func `many keys are read in one transaction and in any order`() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            let keys = (0..<21).map { "movie?\($0)" }
            let entries = keys.enumerated().map { CacheEntry.sample($1, fill: UInt8($0)) }
            _ = try await tier.put(entries)
            let asked = keys.reversed() + ["movie?absent"] + keys.prefix(2)
            let found = try await tier.entries(for: asked)
            let expected = entries.reversed().map(Optional.some) + [nil] + entries.prefix(2).map(Optional.some)
            #expect(asked.map { found[$0] } == expected)
        }
    }

    @Test(arguments: [(9, DiskTier.Write.superseded, 5), (10, .stored, 6), (11, .stored, 6)])
    func `an entry is replaced unless it is newer`(storedAt: Int64, write: DiskTier.Write, fill: UInt8) async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            _ = try await tier.put([.sample("movie?1", storedAt: 10, fill: 5)])
            let commit = try await tier.put([.sample("movie?1", size: 150, storedAt: storedAt, fill: 6)])
            #expect(commit.writes == [write])
            #expect(commit.tally.bytes == (write == .stored ? 150 : 100))
            #expect(commit.tally.entries == 1)
            #expect(try await tier.entries(for: ["movie?1"])["movie?1"]?.value.first == fill)
        }
    }

    @Test func `the least recently used entry is evicted from disk first`() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder, bound: TierBound(bytes: 300, entries: 10))
            _ = try await tier.put(["movie?1", "movie?2", "movie?3"].map { .sample($0) })
            let commit = try await tier.put([.sample("movie?4")], uses: ["movie?2", "movie?1", "movie?absent"])
            #expect(commit.evictions == 1)
            let kept = try await tier.entries(for: (1...4).map { "movie?\($0)" })
            #expect(Set(kept.keys) == ["movie?1", "movie?2", "movie?4"])
            _ = try await tier.put([.sample("movie?5")])
            let keptThen = try await tier.entries(for: (1...5).map { "movie?\($0)" })
            #expect(Set(keptThen.keys) == ["movie?1", "movie?4", "movie?5"])
        }
    }

    @Test(arguments: [TierBound(bytes: 1_050, entries: 1_000), TierBound(bytes: 1 << 20, entries: 10)])
    func `the disk is bounded in bytes and entries`(bound: TierBound) async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder, bound: bound)
            for number in 0..<25 { _ = try await tier.put([.sample("movie?\(number)")]) }
            let rows = try await tier.pool.read { db in
                [
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM entry"),
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM payload"),
                    try Int.fetchOne(db, sql: "SELECT sum(size) FROM entry"),
                    try Int.fetchOne(db, sql: "SELECT bytes FROM tally"),
                ]
            }
            #expect(rows == [10, 10, 1_000, 1_000])
        }
    }

    @Test(arguments: [(300, DiskTier.Write.stored), (301, .refusedTooLarge)])
    func `an entry larger than the bound is refused and evicts nothing`(size: Int, write: DiskTier.Write) async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder, bound: TierBound(bytes: 300, entries: 10))
            _ = try await tier.put([.sample("movie?1")])
            let commit = try await tier.put([.sample("movie?2", size: size)])
            #expect(commit.writes == [write])
            #expect(commit.tally.entries == 1)
            #expect(try await tier.entries(for: ["movie?1"]).isEmpty == (write == .stored))
        }
    }
}
