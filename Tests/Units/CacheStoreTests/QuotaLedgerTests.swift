import CacheStoreMachine
import Domain
import Foundation
import GRDB
import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct QuotaLedgerTests {
    private static let now = 1_795_186_800.0
    private let account = QuotaAccount(upstream: "KOBIS", key: "0badcafe")

    @Test func `a granted call is counted on disk`() async throws {
        try await withTemporaryFolder { folder in
            let ledger = try await QuotaLedger.open(in: folder)
            let (decision, balance) = await ledger.take(account, limit: 3, uncounted: 1, now: Self.now)
            #expect(decision == .granted && balance.used == 2)
            // Read by another connection, as after a crash of the process.
            let reader = try DatabaseQueue(path: folder + "/state.sqlite")
            let kept = try await reader.read { try StateDatabase.readBalances($0) }
            #expect(kept == [account: balance])
        }
    }

    @Test func `few of many calls wait for the disk, and each is on disk before it is granted`() async throws {
        try await withTemporaryFolder { folder in
            let ledger = try await QuotaLedger.open(in: folder)
            let reader = try DatabaseQueue(path: folder + "/state.sqlite")
            var commits: Set<Int> = []
            for number in 1...300 {
                #expect(await ledger.take(account, limit: 3000, uncounted: 0, now: Self.now).balance.used == number)
                let (kept, version) = try await reader.read { db in
                    (try StateDatabase.readBalances(db)[account], try Int.fetchOne(db, sql: "PRAGMA data_version"))
                }
                #expect(try (number...number + 30).contains(#require(kept).used))
                commits.insert(try #require(version))
            }
            #expect(commits.count <= 30)
            // The end gives back what was counted ahead.
            await ledger.close()
            #expect(try await reader.read { try StateDatabase.readBalances($0)[account]?.used } == 300)
        }
    }

    @Test func `calls counted ahead end at the limit, and a crash counts them as made`() async throws {
        try await withTemporaryFolder { folder in
            let first = try await QuotaLedger.open(in: folder)
            for _ in 0..<10 { _ = await first.take(account, limit: 300, uncounted: 0, now: Self.now) }
            let second = try await QuotaLedger.open(in: folder)
            let used = try #require(await second.balances(now: Self.now).first?.balance.used)
            #expect((11...13).contains(used))
            for number in used..<300 {
                let taken = await second.take(account, limit: 300, uncounted: 0, now: Self.now)
                #expect(taken.decision == .granted && taken.balance.used == number + 1)
            }
            #expect(await second.take(account, limit: 300, uncounted: 0, now: Self.now).decision == .refused)
        }
    }

    /// What is on disk after a ledger ends of which a successor has taken a call, or learned of a refusal.
    private func balanceAfterSuccession(
        taking calls: Int = 1, later: Double = 0, isExhausted: Bool = false
    ) async throws -> (used: Int, onDisk: QuotaBalance) {
        var result: (used: Int, onDisk: QuotaBalance)?
        try await withTemporaryFolder { folder in
            let first = try await QuotaLedger.open(in: folder)
            _ = await first.take(account, limit: 3000, uncounted: 0, now: Self.now)
            let second = try await QuotaLedger.open(in: folder)
            for _ in 1..<calls { _ = await first.take(account, limit: 3000, uncounted: 0, now: Self.now) }
            let taken = await second.take(account, limit: 3000, uncounted: 0, now: Self.now + later)
            if isExhausted { await second.markExhausted(account, limit: 3000, now: Self.now + later) }
            await first.close()
            let reader = try DatabaseQueue(path: folder + "/state.sqlite")
            let onDisk = try await reader.read { try StateDatabase.readBalances($0)[account] }
            result = (taken.balance.used, try #require(onDisk))
        }
        return try #require(result)
    }

    @Test(arguments: [1, 2, 17, 32, 33])
    func `a predecessor that ends does not take back what its successor has counted`(calls: Int) async throws {
        let (used, onDisk) = try await balanceAfterSuccession(taking: calls)
        #expect(onDisk.used >= used + 1, "the successor counts ahead, too")
    }

    @Test func `a predecessor that ends after midnight leaves its successor's day`() async throws {
        let (used, onDisk) = try await balanceAfterSuccession(later: 86_400)
        #expect(onDisk.day == Day.inSeoul(secondsSinceEpoch: Self.now + 86_400) && onDisk.used >= used && used == 1)
    }

    @Test func `a predecessor that ends leaves the refusal that its successor knows of`() async throws {
        let (_, onDisk) = try await balanceAfterSuccession(isExhausted: true)
        #expect(onDisk.exhaustedAt == Self.now)
    }

    @Test func `a successor continues the count`() async throws {
        try await withTemporaryFolder { folder in
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            let first = try await QuotaLedger.open(state, logger: .silent)
            _ = await first.take(account, limit: 2, uncounted: 0, now: Self.now)
            await first.markExhausted(account, limit: 2, now: Self.now)
            await state.close()
            let second = try await QuotaLedger.open(in: folder)
            let balances = await second.balances(now: Self.now)
            #expect(balances.map(\.account) == [account] && balances.first?.balance.exhaustedAt == Self.now)
            #expect(await second.take(account, limit: 2, uncounted: 0, now: Self.now + 1).decision == .refused)
        }
    }

    @Test func `hundreds of concurrent calls are counted and none is granted beyond the limit`() async throws {
        try await withTemporaryFolder { folder in
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            let ledger = try await QuotaLedger.open(state, logger: .silent)
            let granted = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<500 {
                    group.addTask {
                        await ledger.take(account, limit: 300, uncounted: 0, now: Self.now).decision == .granted
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(granted == 300)
            await state.close()
            let next = try await QuotaLedger.open(in: folder)
            #expect(await next.balances(now: Self.now).first?.balance.used == 300)
        }
    }

    @Test func `a damaged file is moved aside and logged`() async throws {
        try await withTemporaryFolder { folder in
            try Data("no database".utf8).write(to: URL(fileURLWithPath: folder + "/state.sqlite"))
            let log = InMemoryLogHandler()
            let ledger = try await QuotaLedger.open(in: folder, logger: .recording(to: log))
            #expect(await ledger.take(account, limit: 3, uncounted: 0, now: Self.now).decision == .granted)
            #expect(
                log.entries.map { "\($0.message)" } == [
                    "the state database cannot be used and was moved aside; what was pinned and the count of the day's calls is lost"
                ])
            #expect(FileManager.default.fileExists(atPath: folder + "/state.sqlite.corrupt-7"))
        }
    }

    @Test func `without a disk calls are counted in memory and that is logged once`() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            let log = InMemoryLogHandler()
            let ledger = try await QuotaLedger.open(in: folder + "/file/in", logger: .recording(to: log))
            let taken = [
                await ledger.take(account, limit: 1, uncounted: 0, now: Self.now).decision,
                await ledger.take(account, limit: 1, uncounted: 0, now: Self.now).decision,
            ]
            #expect(taken == [.granted, .refused])
            #expect(log.entries.map { "\($0.message)" } == ["calls are counted in memory only"])
        }
    }

    @Test func `when the disk is available again its counts are added`() async throws {
        try await withTemporaryFolder { folder in
            let inner = folder + "/inner"
            let state = StateConnection(folder: inner, logger: .silent, wallClock: { 7 })
            let first = try await QuotaLedger.open(state, logger: .silent)
            for _ in 0..<3 { _ = await first.take(account, limit: 9, uncounted: 0, now: Self.now) }
            await state.close()
            try FileManager.default.moveItem(atPath: inner, toPath: folder + "/away")
            try Data().write(to: URL(fileURLWithPath: inner))
            let second = try await QuotaLedger.open(in: inner)
            #expect(await second.failure?.contains("not_writable") == true)
            #expect(await second.take(account, limit: 9, uncounted: 0, now: Self.now).balance.used == 1)
            try FileManager.default.removeItem(atPath: inner)
            try FileManager.default.moveItem(atPath: folder + "/away", toPath: inner)
            _ = await second.take(account, limit: 9, uncounted: 0, now: Self.now)
            #expect(await second.balances(now: Self.now).first?.balance.used == 5)
            #expect(await second.failure == nil)
        }
    }

    @Test func `a disk that fails for a time loses no counts`() async throws {
        try await withTemporaryFolder { folder in
            let log = InMemoryLogHandler()
            let ledger = try await QuotaLedger.open(in: folder, logger: .recording(to: log))
            let other = try DatabaseQueue(path: folder + "/state.sqlite")
            try await other.write { try $0.execute(sql: "ALTER TABLE quota RENAME TO elsewhere") }
            #expect(await ledger.take(account, limit: 9, uncounted: 0, now: Self.now).balance.used == 1)
            #expect(await ledger.take(account, limit: 9, uncounted: 0, now: Self.now).balance.used == 2)
            try await other.write { try $0.execute(sql: "ALTER TABLE elsewhere RENAME TO quota") }
            #expect(await ledger.take(account, limit: 9, uncounted: 0, now: Self.now).balance.used == 3)
            #expect(try await other.read { try StateDatabase.readBalances($0)[account]?.used } == 3)
            #expect(
                log.entries.map { "\($0.message)" } == [
                    "calls are counted in memory only", "calls are counted on disk again",
                ])
        }
    }
}
