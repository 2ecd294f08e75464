import Foundation
import GRDB
import InMemoryLogging
import Logging
import Storage
import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct TieredStoreFailureTests {
    @Test func `without a folder the store continues from memory and logs that`() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            let log = InMemoryLogHandler()
            let store = try await TieredStore.open(in: folder + "/file/cache", logger: .recording(to: log))
            #expect(await store.statistics.diskCondition.failure == .notWritable)
            #expect(log.entries.map(\.level) == [.error])
            #expect(await store.put(.sample("movie?1")) == .keptInMemory)
            #expect(try await store.entries(for: ["movie?1", "movie?2"], at: 0).count == 1)
        }
    }

    @Test func `a full disk degrades the store until there is room`() async throws {
        try await withTemporaryFolder { folder in
            let log = InMemoryLogHandler()
            let store = try await TieredStore.open(in: folder, logger: .recording(to: log))
            let tier = try #require(await store.disk)
            log.clear()
            try await tier.limitPages()
            for number in 1...3 {
                #expect(await store.put(.sample("movie?\(number)", size: 50_000)) == .keptInMemory)
            }
            #expect(await store.statistics.diskCondition.failure == .diskFull)
            #expect(log.entries.map(\.level) == [.error])
            #expect(try await store.entries(for: ["movie?1", "movie?3"], at: 0).count == 2)
            try await tier.unlimitPages()
            #expect(await store.put(.sample("movie?1", size: 50_000)) == .stored)
            #expect(await store.statistics.diskCondition.failure == nil)
            #expect(log.entries.map(\.level) == [.error, .notice])
        }
    }

    @Test func `without a disk memory still refuses and supersedes`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, memory: TierBound(bytes: 300, entries: 10))
            await store.close()
            #expect(await store.statistics.diskCondition.failure == .closed)
            #expect(await store.put(.sample("movie?1", storedAt: 2)) == .keptInMemory)
            #expect(await store.put(.sample("movie?1", storedAt: 1)) == .superseded)
            #expect(await store.put(.sample("movie?2", size: 301)) == .refusedTooLarge)
        }
    }

    @Test func `a database that is found damaged at run time is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let keys = (0..<100).map { "movie?\($0)" }
            try await makeDamagedDatabase(in: folder, keys: keys)
            let log = InMemoryLogHandler()
            let store = try await TieredStore.open(in: folder, logger: .recording(to: log))
            #expect(await store.statistics.diskCondition.failure == nil)
            // The damage is in the payloads and is detected when they are read.
            #expect(try await store.entries(for: keys, at: 0).isEmpty)
            #expect(try names(in: folder).contains("cache.sqlite.corrupt-7"))
            #expect(log.entries.contains { $0.level == .error && $0.metadata["cache.aside"] != nil })
            #expect(await store.statistics.diskCondition.failure == nil)
            #expect(await store.put(.sample("movie?1")) == .stored)
            await store.close()
            #expect(try await DiskTier.open(in: folder).entries(for: keys).count == 1)
        }
    }

    @Test func `concurrent calls that detect the damage replace the database once`() async throws {
        try await withTemporaryFolder { folder in
            let keys = (0..<100).map { "movie?\($0)" }
            try await makeDamagedDatabase(in: folder, keys: keys)
            let store = try await TieredStore.open(in: folder)
            var stored: Set<String> = []
            try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        if number.isMultiple(of: 20) {
                            _ = try await store.entries(for: keys, at: 0)
                            return nil
                        }
                        let entry = CacheEntry.sample("poster?\(number)")
                        return await store.put(entry) == .stored ? entry.key : nil
                    }
                }
                for try await key in group { if let key { stored.insert(key) } }
            }
            let movedLogs = ["cache.sqlite.corrupt-7-wal", "cache.sqlite.corrupt-7-shm"]
            let moved = try names(in: folder).filter { $0.contains("corrupt") && !movedLogs.contains($0) }
            #expect(moved == ["cache.sqlite.corrupt-7"])
            #expect(await store.statistics.diskCondition.failure == nil)
            await store.close()
            // Entries acknowledged as stored are in the current file, not in the one that was moved.
            let onDisk = try await DiskTier.open(in: folder).entries(for: Array(stored))
            #expect(Set(onDisk.keys) == stored)
        }
    }

    /// Stores more than a page of payload for each key and then overwrites the last tenth of the file.
    ///
    /// That part holds only payloads: the database opens and accepts puts until all payloads are read.
    private func makeDamagedDatabase(in folder: String, keys: [String]) async throws {
        let tier = try await DiskTier.open(in: folder)
        _ = try await tier.put(keys.map { .sample($0, size: 5_000) })
        // Closing alone may leave everything in the log.
        _ = try await tier.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try await tier.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/cache.sqlite"))
        let size = Int(try file.seekToEnd())
        let start = size / 10 * 9
        try file.seek(toOffset: UInt64(start))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size - start))
        try file.close()
    }
}
