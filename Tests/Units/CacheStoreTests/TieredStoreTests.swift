import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct TieredStoreTests {
    @Test func `an acknowledged put is on disk`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            let entry = CacheEntry.sample("chart.daily?date=2022-01-05")
            #expect(await store.put(entry) == .stored)
            let onDisk = try await DiskTier.open(in: folder)
            #expect(try await onDisk.entries(for: [entry.key]) == [entry.key: entry])
        }
    }

    @Test func `entries survive a reopening`() async throws {
        try await withTemporaryFolder { folder in
            let first = try await TieredStore.open(in: folder)
            for number in 0..<5 { _ = await first.put(.sample("movie?\(number)")) }
            await first.close()
            let second = try await TieredStore.open(in: folder)
            #expect(try await second.entries(for: (0..<5).map { "movie?\($0)" }, at: 0).count == 5)
            #expect(await second.statistics.disk.entries == 5)
        }
    }

    @Test func `a peek of many keys reads memory first and the rest from disk`() async throws {
        try await withTemporaryFolder { folder in
            let keys = (0..<21).map { "movie?\($0)" }
            let first = try await TieredStore.open(in: folder)
            for (number, key) in keys.enumerated() { _ = await first.put(.sample(key, fill: UInt8(number))) }
            await first.close()

            let store = try await TieredStore.open(in: folder)
            // Some entries in the middle are in memory already.
            _ = try await store.entries(for: Array(keys[5..<10]), at: 0)
            let found = try await store.entries(for: keys + ["movie?absent"], at: 0)
            #expect(found.map(\.key) == keys)
            #expect(found.map(\.value.first) == (0..<21).map { UInt8($0) })
            let statistics = await store.statistics
            #expect(statistics.disk.hits == 21)
            #expect(statistics.disk.misses == 1)
            #expect(statistics.memory[MemoryTier.otherPool]?.hits == 5)
            #expect(statistics.memory[MemoryTier.otherPool]?.entries == 21)
        }
    }

    @Test func `a key that is requested twice is answered twice`() async throws {
        try await withTemporaryFolder { folder in
            let first = try await TieredStore.open(in: folder)
            for key in ["movie?1", "movie?2"] { _ = await first.put(.sample(key)) }
            await first.close()
            let store = try await TieredStore.open(in: folder)
            _ = try await store.entries(for: ["movie?2"], at: 0)
            let keys = ["movie?1", "movie?2", "movie?1", "movie?3", "movie?2", "movie?3"]
            let stored = keys.filter { $0 != "movie?3" }
            #expect(try await store.entries(for: keys, at: 0).map(\.key) == stored)
            #expect(try await store.entries(for: stored, at: 0).map(\.key) == stored)
            #expect(await store.statistics.missing == 2)
        }
    }

    @Test func `stale entries are answered and counted`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            _ = await store.put(.sample("movie?1", storedAt: 0))
            _ = await store.put(.sample("movie?2", storedAt: 50_000))
            let found = try await store.entries(for: ["movie?1", "movie?2", "movie?3"], at: 60_000)
            #expect(found.count == 2)
            let statistics = await store.statistics
            #expect([statistics.fresh, statistics.stale, statistics.missing] == [1, 1, 1])
        }
    }

    @Test(arguments: [true, false])
    func `a late put is superseded`(heldInMemory: Bool) async throws {
        try await withTemporaryFolder { folder in
            let memory = TierBound(bytes: heldInMemory ? 1_000 : 0, entries: 10)
            let store = try await TieredStore.open(in: folder, memory: memory)
            #expect(await store.put(.sample("movie?1", storedAt: 2, fill: 2)) == .stored)
            #expect(await store.put(.sample("movie?1", storedAt: 1, fill: 1)) == .superseded)
            #expect(try await store.entries(for: ["movie?1"], at: 0).first?.value.first == 2)
        }
    }

    @Test func `an entry that memory refuses is still stored on disk`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, memory: TierBound(bytes: 150, entries: 10))
            #expect(await store.put(.sample("movie?1", size: 100, storedAt: 1)) == .stored)
            #expect(await store.put(.sample("movie?1", size: 500, storedAt: 2)) == .stored)
            #expect(try await store.entries(for: ["movie?1"], at: 0).first?.size == 500)
            #expect(await store.statistics.memory[MemoryTier.otherPool]?.refusals == 2)
        }
    }

    @Test func `an entry that the disk refuses is not stored`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, disk: TierBound(bytes: 300, entries: 10))
            _ = await store.put(.sample("movie?1", storedAt: 1))
            #expect(await store.put(.sample("movie?1", size: 301, storedAt: 2)) == .refusedTooLarge)
            #expect(try await store.entries(for: ["movie?1"], at: 0).first?.storedAt == 1)
            #expect(await store.statistics.disk.refusals == 1)
        }
    }

    @Test func `a use in memory keeps an entry on disk`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, disk: TierBound(bytes: 300, entries: 10))
            for number in 1...3 { _ = await store.put(.sample("movie?\(number)")) }
            _ = try await store.entries(for: ["movie?1"], at: 0)
            _ = await store.put(.sample("movie?4"))
            await store.close()
            let onDisk = try await DiskTier.open(in: folder)
            let kept = try await onDisk.entries(for: (1...4).map { "movie?\($0)" })
            #expect(Set(kept.keys) == ["movie?1", "movie?3", "movie?4"])
        }
    }

    @Test func `only the latest uses are kept for the next commit`() {
        var uses = UseLog()
        for number in 0..<UseLog.capacity + 10 { uses.note("movie?\(number)") }
        uses.note("movie?20")
        let drained = uses.drain()
        #expect(drained.count == UseLog.capacity)
        #expect(drained.first == "movie?10")
        #expect(drained.last == "movie?20")
        #expect(uses.drain().isEmpty)
    }

    @Test func `concurrent reads never return an older entry than before`() async throws {
        try await withTemporaryFolder { folder in
            // Room for two of eight keys in memory: reads fall through to disk and are promoted all the time.
            let store = try await TieredStore.open(in: folder, memory: TierBound(bytes: 200, entries: 2))
            let keys = (0..<8).map { "movie?\($0)" }
            try await withThrowingTaskGroup { group in
                for writer in 0..<4 {
                    group.addTask {
                        for round in 0..<50 {
                            let version = Int64(round * 4 + writer)
                            _ = await store.put(.sample(keys[round % keys.count], storedAt: version))
                        }
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        var seen: [String: Int64] = [:]
                        for _ in 0..<100 {
                            for entry in try await store.entries(for: keys, at: 0) {
                                #expect(entry.storedAt >= seen[entry.key] ?? 0)
                                seen[entry.key] = entry.storedAt
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try await store.entries(for: keys, at: 0)
            let lastRounds: [Int64] = [48, 49, 42, 43, 44, 45, 46, 47]
            #expect(found.map(\.storedAt) == lastRounds.map { $0 * 4 + 3 })
        }
    }

    @Test func `each put of a common commit has its own outcome`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, disk: TierBound(bytes: 100_000, entries: 1_000))
            #expect(await store.put(.sample("movie?old", storedAt: 9)) == .stored)
            let outcomes = await withTaskGroup(of: (String, PutOutcome).self) { group in
                for number in 0..<60 {
                    let entry: CacheEntry =
                        switch number % 3 {
                        case 0: .sample("movie?\(number)")
                        case 1: .sample("movie?\(number)", size: 100_001)
                        default: .sample("movie?old", storedAt: 1)
                        }
                    group.addTask { ("\(number % 3)", await store.put(entry)) }
                }
                return await group.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
                    as [String: Set<PutOutcome>]
            }
            #expect(outcomes == ["0": [.stored], "1": [.refusedTooLarge], "2": [.superseded]])
            #expect(await store.statistics.disk.refusals == 20)
        }
    }

    @Test func `memory has nothing that a removal took from the disk`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            let reader = try await DiskTier.open(in: folder)
            for round in 0..<400 {
                let key = "movie?\(round)"
                async let put = store.put(.sample(key))
                async let removed = store.remove(.key(key))
                _ = try await (put, removed)
                let inMemory = try await store.entries(for: [key], at: 0).map(\.key)
                #expect(try await inMemory == Array(reader.entries(for: [key]).keys))
            }
        }
    }
}
