import CacheStoreMachine
import Domain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CacheStoreCore

/// Entries that were stored under a wrong wall clock.
@Suite(.timeLimit(.minutes(1))) struct ClockTests {
    private static let now: Int64 = 1_795_186_800_000
    private static let day: Int64 = 86_400_000

    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let milliseconds: Mutex<Int64>

        init(_ milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }

        var now: Int64 { milliseconds.withLock { $0 } }
        func set(_ now: Int64) { milliseconds.withLock { $0 = now } }
    }

    private static func entry(storedAt: Int64, fill: UInt8 = 1) -> CacheEntry {
        CacheEntry(
            key: "movie?1", value: [fill], storedAt: storedAt, freshUntil: storedAt + 400 * day, fetchedBy: "test/1")
    }

    @Test("An entry from the future is stale, by as much as its clock was ahead")
    func futureEntry() {
        let entry = Self.entry(storedAt: Self.now + 5_000)
        #expect(entry.isFresh(at: Self.now))
        let late = Self.entry(storedAt: Self.now + 400 * Self.day)
        #expect(!late.isFresh(at: Self.now) && late.age(at: Self.now) == 0)
        #expect(late.timeToLive(at: Self.now) == -400 * Self.day)
        // The earlier clock was right and the present one is behind: nothing is lost when it is corrected.
        #expect(late.isFresh(at: Self.now + 400 * Self.day))
    }

    @Test("A pinned entry is fresh at any time of the clock")
    func pinned() {
        let pin = CacheEntry(key: "k", value: [1], storedAt: Self.now, freshUntil: .max, fetchedBy: "test/1")
        for now in [Int64.min, 0, Self.now, .max] { #expect(pin.isFresh(at: now) == (now < .max)) }
        #expect(pin.timeToLive(at: .min) == .max)
    }

    @Test("Any put replaces an entry from the future, in memory and on disk", arguments: [true, false])
    func putReplacesFutureEntry(isRestarted: Bool) async throws {
        try await withTemporaryFolder { folder in
            let clock = Clock(Self.now + 400 * Self.day)
            func open() async throws -> TieredStore {
                try await TieredStore.open(
                    StorageConfiguration(disk: DiskTierConfiguration(folder: folder)), logger: .silent,
                    wallClock: { clock.now })
            }
            var store = try await open()
            #expect(await store.put(Self.entry(storedAt: clock.now, fill: 1)) == .stored)
            if isRestarted {
                await store.close()
                store = try await open()
            }
            clock.set(Self.now)
            #expect(await store.put(Self.entry(storedAt: Self.now, fill: 2)) == .stored)
            #expect(try await store.entries(for: ["movie?1"], at: Self.now).map(\.value) == [[2]])
            // A late put of an older fetch is still superseded.
            #expect(await store.put(Self.entry(storedAt: Self.now - 1, fill: 3)) == .superseded)
            await store.close()
        }
    }

    @Test("A clock that is behind empties nothing")
    func clockBehind() async throws {
        try await withTemporaryFolder { folder in
            let clock = Clock(Self.now)
            let store = try await TieredStore.open(
                StorageConfiguration(disk: DiskTierConfiguration(folder: folder)), logger: .silent,
                wallClock: { clock.now })
            #expect(await store.put(Self.entry(storedAt: Self.now)) == .stored)
            clock.set(Self.now - 40 * Self.day)
            #expect(try await store.entries(for: ["movie?1"], at: clock.now).count == 1)
            clock.set(Self.now + 1)
            let entries = try await store.entries(for: ["movie?1"], at: clock.now)
            #expect(entries.map { $0.isFresh(at: clock.now) } == [true])
            await store.close()
        }
    }

    @Test("A refusal or a probe from the future does not block an account")
    func futureRefusal() {
        let account = QuotaAccount(upstream: "KOBIS", key: "0badcafe")
        let now = Double(Self.now) / 1000
        var machine = QuotaStateMachine()
        // Twelve hours ahead, on the same day in Seoul.
        machine.exhausted(account, limit: 9, now: now + 12 * 3600)
        #expect(machine.take(account, limit: 9, now: now + 12 * 3600 + 1) == .refused)
        #expect(machine.take(account, limit: 9, now: now) == .granted)
        // A step of a few seconds does not count as a wrong clock.
        machine.exhausted(account, limit: 9, now: now)
        #expect(machine.take(account, limit: 9, now: now - 4) == .refused)
    }

    @Test("A remembered failure from the future is forgotten")
    func futureFailure() async {
        let failures = FailureMemory()
        await failures.remember([1], of: "k", at: Self.now + Self.day, until: Self.now + 2 * Self.day)
        #expect(await failures.failure(of: "k", at: Self.now) == nil)
        await failures.remember([1], of: "k", at: Self.now + 4_000, until: Self.now + Self.day)
        #expect(await failures.failure(of: "k", at: Self.now) != nil)
    }
}
