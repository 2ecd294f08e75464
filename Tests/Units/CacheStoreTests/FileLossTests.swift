import CacheStoreMachine
import Envelope
import Foundation
import GRDB
import InMemoryLogging
import Logging
import ProcessKit
import Storage
import TestSupport
import Testing

@testable import CacheStoreCore

/// Databases that are locked at the start, or deleted or replaced while they are in use.
@Suite(.timeLimit(.minutes(1))) struct FileLossTests {
    private static let key = "poster.find?code=20199882"
    private static let account = QuotaAccount(upstream: "KOBIS", key: "0badcafe")
    private static let now = 1_795_186_800.0

    private func remove(_ name: String, in folder: String) throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: "\(folder)/\(name)\(suffix)") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)\(suffix)")
        }
    }

    /// Runs `body` while another program has the file locked.
    private func withLocked(_ path: String, _ body: () async throws -> Void) async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = wal; BEGIN EXCLUSIVE") }
        try await body()
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try other.close()
    }

    @Test func `a cache that was locked at the start is opened later, after growing pauses`() async throws {
        try await withTemporaryFolder { folder in
            try await DiskTier.open(in: folder).close()
            var store: TieredStore?
            try await withLocked("\(folder)/cache.sqlite") { store = try await TieredStore.open(in: folder) }
            let opened = try #require(store)
            guard case .degraded(let error) = await opened.statistics.diskCondition else {
                Issue.record("the disk was open")
                return
            }
            #expect(error.code == .busy)
            await opened.keepFile(at: .now)
            guard case .healthy = await opened.statistics.diskCondition else {
                Issue.record("the disk is still degraded")
                return
            }
            #expect(await opened.put(.sample("movie?1")) == .stored)
        }
    }

    @Test func `the pauses between attempts grow to a minute`() {
        var pause = RetryPause()
        let start = ContinuousClock.now
        let attempts = (0...200).filter { pause.isOver(at: start + .seconds($0)) }
        #expect(attempts == [0, 1, 3, 7, 15, 31, 63, 123, 183])
    }

    @Test func `pins and counts are read once the lock is gone`() async throws {
        try await withTemporaryFolder { folder in
            let before = try await PinStore.open(in: folder)
            try await before.pin([1], under: Self.key, from: .upstream, by: "x")
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            var opened: PinStore?
            try await withLocked("\(folder)/state.sqlite") {
                opened = try await PinStore.open(state, logger: .silent, wallClock: { 7 })
            }
            let store = try #require(opened)
            #expect(await store.entry(Self.key) == nil)
            await store.keepFile(at: .now)
            #expect(await store.entry(Self.key)?.value == [1])
        }
    }

    @Test func `pins and counts of a deleted file are in the next one`() async throws {
        try await withTemporaryFolder { folder in
            let log = InMemoryLogHandler()
            let state = StateConnection(folder: folder, logger: .recording(to: log), wallClock: { 7 })
            let quota = try await QuotaLedger.open(state, logger: .silent)
            let pins = try await PinStore.open(state, logger: .silent, wallClock: { 7 })
            _ = await quota.take(Self.account, limit: 900, uncounted: 0, now: Self.now)
            try await pins.pin([1], under: Self.key, from: .upstream, by: "x")
            try remove("state.sqlite", in: folder)
            // Without a look in between: a commit notices it itself.
            try await pins.pin([2], under: "other", from: .upstream, by: "x")
            await quota.keepFile(at: .now)
            #expect(await state.deleted == "\(folder)/state.sqlite")
            #expect(log.entries.contains { "\($0.message)".contains("deleted or replaced") })
            await quota.close()
            await state.close()
            let next = try await PinStore.open(in: folder)
            #expect(await next.entry(Self.key)?.value == [1])
            #expect(await next.entry("other")?.value == [2])
            #expect(try await QuotaLedger.open(in: folder).balances(now: Self.now).map(\.balance.used) == [1])
        }
    }

    @Test func `a file that takes the place of the state keeps what it holds, and gets the rest`() async throws {
        try await withTemporaryFolder { folder in
            let backup = folder + "/backup"
            let earlier = try await PinStore.open(in: backup)
            try await earlier.pin([3], under: "earlier", from: .upstream, by: "x")
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            let pins = try await PinStore.open(state, logger: .silent, wallClock: { 7 })
            try await pins.pin([1], under: Self.key, from: .upstream, by: "x")
            try remove("state.sqlite", in: folder)
            try FileManager.default.copyItem(atPath: backup + "/state.sqlite", toPath: folder + "/state.sqlite")
            for suffix in ["-wal", "-shm"]
            where FileManager.default.fileExists(atPath: backup + "/state.sqlite\(suffix)") {
                try FileManager.default.copyItem(
                    atPath: backup + "/state.sqlite\(suffix)", toPath: folder + "/state.sqlite\(suffix)")
            }
            await pins.keepFile(at: .now)
            #expect(await pins.entry("earlier")?.value == [3])
            #expect(await pins.entry(Self.key)?.value == [1])
            let next = try await PinStore.open(in: folder)
            #expect(await next.entries(for: ["earlier", Self.key]).count == 2)
        }
    }

    @Test func `a deleted cache is opened again and reported`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            #expect(await store.put(.sample("movie?1")) == .stored)
            try remove("cache.sqlite", in: folder)
            await store.keepFile(at: .now)
            #expect(await store.deleted == "\(folder)/cache.sqlite")
            #expect(await store.statistics.disk.entries == 0)
            #expect(await store.put(.sample("movie?2")) == .stored)
            await store.close()
            let next = try await TieredStore.open(in: folder)
            #expect(try await next.entries(for: ["movie?2"], at: 0).count == 1)
        }
    }

    @Test func `all callers that wait for a file to be opened learn which one it is`() async throws {
        try await withTemporaryFolder { folder in
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            let generations = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 { group.addTask { try await state.open().generation } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(generations == [1])
        }
    }

    private func cacheFolder(_ path: String) -> DataFolder { DataFolder(path, .cache, logger: .silent) }

    @Test func `a second store is refused with the process that has the folder, and the setting to change`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let first = cacheFolder(folder + "/a/b")
            try await first.keepLock()
            let error = await #expect(throws: StorageError.self) { try await cacheFolder(folder + "/a/b").keepLock() }
            #expect(error?.code == .inUse && error?.needsOperator == true)
            #expect(error?.description.contains("process \(getpid())") == true)
            #expect(error?.description.contains("BOXOFFICE_CACHE_DIR") == true)
            withExtendedLifetime(first) {}
        }
    }

    @Test func `a lock whose file was deleted is taken again, unless another store has the folder by then`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let (first, second) = (cacheFolder(folder), cacheFolder(folder))
            try await first.keepLock()
            try remove("cache.lock", in: folder)
            try await first.keepLock()
            await #expect(throws: StorageError.self) { try await second.keepLock() }
            try remove("cache.lock", in: folder)
            try await second.keepLock()
            let error = await #expect(throws: StorageError.self) { try await first.keepLock() }
            #expect(error?.code == .inUse)
        }
    }

    @Test func `without a lock no database is written`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/cache.lock", withIntermediateDirectories: true)
            let lock = cacheFolder(folder)
            let store = try await TieredStore.open(
                StorageConfiguration(disk: DiskTierConfiguration(folder: folder)), lock: lock, logger: .silent,
                wallClock: { 0 })
            #expect(await store.statistics.diskCondition.failure == .notWritable)
            let state = StateConnection(folder: folder, lock: lock, logger: .silent, wallClock: { 7 })
            await #expect(throws: StorageError.self) { try await state.open() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["cache.lock"])
        }
    }

    @Test(.enabled(if: getuid() == 0)) func `a folder of another user is refused`() async throws {
        try await withTemporaryFolder { folder in
            #expect(chown(folder, 65_534, 65_534) == 0)
            let error = await #expect(throws: StorageError.self) { try await cacheFolder(folder).keepLock() }
            #expect(error?.needsOperator == true && error?.message.contains("another user (65534)") == true)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == [])
        }
    }
}
