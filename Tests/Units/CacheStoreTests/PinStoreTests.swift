import CacheStoreMachine
import Envelope
import Foundation
import GRDB
import Storage
import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct PinStoreTests {
    private static let key = "poster.find?code=20199882"

    @Test func `a pin outlives its process`() async throws {
        try await withTemporaryFolder { folder in
            let first = try await PinStore.open(in: folder)
            try await first.pin(Array("one".utf8), under: Self.key, from: .upstream, by: "gateway/1")
            try await first.pin(Array("two".utf8), under: Self.key, from: .upstream, by: "gateway/2")
            let second = try await PinStore.open(in: folder)
            let pinned = await second.entry(Self.key)
            #expect(pinned?.value == Array("two".utf8) && pinned?.fetchedBy == "gateway/2" && pinned?.storedAt == 7)
            #expect(pinned?.isFresh(at: .max - 1) == true)
            #expect(try await second.unpin(Self.key))
            #expect(try await second.unpin(Self.key) == false)
            let third = try await PinStore.open(in: folder)
            #expect(await third.entry(Self.key) == nil)
        }
    }

    @Test func `an entry that the disk refuses is not pinned`() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            let store = try await PinStore.open(in: folder + "/file/in")
            let error = await #expect(throws: StorageError.self) {
                try await store.pin([1], under: Self.key, from: .upstream, by: "x")
            }
            #expect(error?.code == .notWritable)
            #expect(await store.entry(Self.key) == nil)
        }
    }

    @Test func `counts and pins share one connection`() async throws {
        try await withTemporaryFolder { folder in
            let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
            async let opening = QuotaLedger.open(state, logger: .silent)
            async let store = PinStore.open(state, logger: .silent, wallClock: { 7 })
            try await store.pin([1], under: Self.key, from: .upstream, by: "x")
            let account = QuotaAccount(upstream: "KOBIS", key: "0badcafe")
            let (decision, _) = try await opening.take(account, limit: 9, uncounted: 0, now: 1_795_186_800)
            #expect(decision == .granted)
            #expect(try await state.open().pool === state.open().pool)
            await state.close()
            #expect(try await PinStore.open(in: folder).entry(Self.key)?.value == [1])
            #expect(try await QuotaLedger.open(in: folder).balances(now: 1_795_186_800).count == 1)
        }
    }
}
