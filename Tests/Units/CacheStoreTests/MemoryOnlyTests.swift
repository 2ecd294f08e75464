import TestSupport
import Testing

@testable import CacheStoreCore

/// Kinds that are never written to disk.
@Suite(.timeLimit(.minutes(1))) struct MemoryOnlyTests {
    private static let image = "poster.image?url=a"
    private static let poster = "poster.find?code=1"

    @Test func `a memory-only kind is answered and never written to disk`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, memoryOnly: ["poster.image"])
            #expect(await store.put(.sample(Self.image)) == .storedInMemory)
            #expect(await store.put(.sample(Self.poster)) == .stored)
            #expect(await store.put(.sample(Self.image, storedAt: 1)) == .superseded)
            #expect(try await store.entries(for: [Self.image], at: 0).first?.storedAt == 1_000)
            #expect(await store.statistics.disk.entries == 1)
            await store.close()

            let reopened = try await TieredStore.open(in: folder, memoryOnly: ["poster.image"])
            let found = try await reopened.entries(for: [Self.image, Self.poster], at: 0)
            #expect(found.map(\.key) == [Self.poster])
        }
    }

    @Test func `an entry that is too large for memory is refused`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(
                in: folder, memory: TierBound(bytes: 1_000, entries: 10), memoryOnly: ["poster.image"])
            #expect(await store.put(.sample(Self.image, size: 1_001)) == .refusedTooLarge)
            #expect(await store.statistics.memory["other"]?.refusals == 1)
        }
    }

    @Test func `a purge counts memory-only entries in addition to those on disk`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder, memoryOnly: ["poster.image"])
            for key in [Self.image, "poster.image?url=b", Self.poster, "movie.detail?code=1"] {
                _ = await store.put(.sample(key))
            }
            #expect(try await store.remove(CacheSelection("poster")) == 3)
            #expect(try await store.remove(.everything) == 1)
        }
    }

    @Test func `without the rule the kind is written to disk like all others`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            #expect(await store.put(.sample(Self.image)) == .stored)
            await store.close()
            let reopened = try await TieredStore.open(in: folder)
            #expect(try await reopened.entries(for: [Self.image], at: 0).count == 1)
        }
    }

    @Test func `entries on disk of a kind that is now memory-only are removed`() async throws {
        try await withTemporaryFolder { folder in
            let store = try await TieredStore.open(in: folder)
            for key in [Self.image, Self.poster] { _ = await store.put(.sample(key)) }
            await store.close()
            let reopened = try await TieredStore.open(in: folder, memoryOnly: ["poster.image"])
            #expect(await reopened.statistics.disk.entries == 1)
            #expect(try await reopened.entries(for: [Self.image, Self.poster], at: 0).map(\.key) == [Self.poster])
            #expect(await reopened.statistics.disk.misses == 0, "the disk is not read for it")
            #expect(await reopened.put(.sample(Self.image)) == .storedInMemory)
            #expect(try await reopened.remove(CacheSelection("poster")) == 2)
        }
    }
}
