import CacheStoreMachine
import Domain
import Envelope
import Foundation
import GRDB
import InMemoryLogging
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

@testable import CacheStoreCore

/// Damaged bytes on disk.
@Suite(.timeLimit(.minutes(1))) struct ChecksumTests {
    private static let now = 1_795_186_800.0
    private static let account = QuotaAccount(upstream: "KOBIS", key: "0badcafe")

    @Test("The checksum is the same in every process, and every part counts")
    func stableValue() {
        func entry(
            _ key: String = "movie?1", _ value: [UInt8] = Array("0123456789".utf8),
            _ attributes: [String: String] = [:],
            storedAt: Int64 = 1, freshUntil: Int64 = 2, by: String = "x"
        ) -> Int64 {
            CacheEntry(
                key: key, value: value, attributes: attributes, storedAt: storedAt, freshUntil: freshUntil,
                fetchedBy: by
            ).checksum
        }
        let others = [
            entry("movie?2"), entry("movie?10", Array("123456789".utf8)), entry("movie?1", Array("0123456788".utf8)),
            entry("movie?1", Array("0123456789\0".utf8)), entry("movie?1", []),
            entry("movie?1", Array("0123456789".utf8), ["films": ""]),
            entry("movie?1", Array("0123456789".utf8), ["": "films"]), entry(storedAt: 2), entry(freshUntil: 3),
            entry(by: "y"), entry(storedAt: 2, freshUntil: 1),
        ]
        #expect(Set(others + [entry()]).count == others.count + 1)
        // Files outlive processes and releases: this value never changes.
        #expect(entry() == -7_119_359_867_309_786_565)
    }

    @Test("One flipped bit anywhere in a value changes the checksum")
    func flippedBits() {
        let value = (0..<67).map { UInt8($0) }
        var checksum = Checksum()
        checksum.add(value)
        for index in value.indices {
            for bit in 0..<8 {
                var changed = value
                changed[index] ^= 1 << bit
                var other = Checksum()
                other.add(changed)
                #expect(other.value != checksum.value)
            }
        }
    }

    @Test(
        "A changed row counts as missing and is reported, and a put in its place is kept",
        arguments: [
            "UPDATE payload SET value = x'7B7D'", "UPDATE entry SET freshUntil = 9000000000000000",
            "UPDATE entry SET storedAt = 9000000000000", "UPDATE entry SET fetchedBy = 'nobody'",
            "UPDATE entry SET attributes = 'no json'", "UPDATE entry SET attributes = '{\"films\":\"1,2\"}'",
            "UPDATE entry SET checksum = 0",
        ])
    func changedRow(statement: String) async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            _ = try await tier.put([.sample("movie?1"), .sample("movie?2")])
            try await tier.pool.write { try $0.execute(sql: "\(statement) WHERE id = 1") }
            try await tier.close()
            let damaged = Mutex<[String]>([])
            let store = try await TieredStore.open(
                StorageConfiguration(disk: DiskTierConfiguration(folder: folder)), logger: .silent,
                wallClock: { 1_000 }, onDamage: { key in damaged.withLock { $0.append(key) } })
            #expect(try await store.entries(for: ["movie?1", "movie?2"], at: 1_000).map(\.key) == ["movie?2"])
            #expect(damaged.withLock { $0 } == ["movie?1"])
            let statistics = await store.statistics
            #expect(statistics.disk.damaged == 1 && statistics.disk.entries == 1 && statistics.missing == 1)
            #expect(await store.put(.sample("movie?1", fill: 9)) == .stored)
            await store.close()
            #expect(try await DiskTier.open(in: folder).entries(for: ["movie?1"])["movie?1"]?.value.first == 9)
        }
    }

    @Test(
        "A changed pin or count is removed when the file is opened, and the others are kept",
        arguments: [
            "UPDATE pin SET value = x'00' WHERE key = 'a'", "UPDATE pin SET pinnedBy = 'x' WHERE key = 'a'",
            "UPDATE quota SET used = 7 WHERE upstream = 'KOBIS'",
        ])
    func changedState(statement: String) async throws {
        try await withTemporaryFolder { folder in
            try await Self.write(in: folder)
            try Self.execute(statement, in: folder)
            let log = InMemoryLogHandler()
            let state = StateConnection(folder: folder, logger: .recording(to: log), wallClock: { 7 })
            let contents = try await state.open().contents
            #expect(contents.pins.count + contents.balances.count == 3 && contents.damaged == 1)
            #expect(await state.damaged == 1 && log.entries.count == 1)
            await state.close()
            #expect(
                try await StateConnection(folder: folder, logger: .silent, wallClock: { 7 }).open().contents.damaged
                    == 0)
        }
    }

    @Test(
        "Implausible numbers are removed when the file is opened",
        arguments: [
            QuotaBalance(day: Day(daysSinceEpoch: 20_778), used: 1, limit: .min),
            QuotaBalance(day: Day(daysSinceEpoch: 20_778), used: .max, limit: 9),
            QuotaBalance(day: Day(daysSinceEpoch: 20_778), used: -1, limit: 9),
            QuotaBalance(day: Day(daysSinceEpoch: .max), used: 1, limit: 9),
            QuotaBalance(day: Day(daysSinceEpoch: .min), used: 1, limit: 9),
            QuotaBalance(day: Day(daysSinceEpoch: 20_778), used: 1, limit: 9, exhaustedAt: .infinity),
        ])
    func poisonedCounts(poison: QuotaBalance) async throws {
        try await withTemporaryFolder { folder in
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            // With a valid checksum: written by a program, not changed by a disk.
            _ = try await state.write { db in try StateDatabase.write([Self.account: poison], since: nil, db) }
            await state.close()
            let ledger = try await QuotaLedger.open(in: folder)
            #expect(await ledger.balances(now: Self.now).isEmpty)
            #expect(await ledger.take(Self.account, limit: 9, uncounted: 0, now: Self.now).balance.used == 1)
        }
    }

    private static func write(in folder: String) async throws {
        let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
        let ledger = try await QuotaLedger.open(state, logger: .silent)
        _ = await ledger.take(account, limit: 9, uncounted: 0, now: now)
        _ = await ledger.take(QuotaAccount(upstream: "Kakao", key: "1"), limit: 9, uncounted: 0, now: now)
        let pins = try await PinStore.open(state, logger: .silent, wallClock: { 7 })
        for key in ["a", "b"] { try await pins.pin([1, 2, 3], under: key, from: .demo, by: "gateway/1") }
        await state.close()
    }

    private static func execute(_ statement: String, in folder: String) throws {
        let database = try DatabaseQueue(path: folder + "/state.sqlite")
        try database.write { try $0.execute(sql: statement) }
        try database.close()
    }
}
