import Contracts
import Envelope
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import Storage

/// Answers the requests about the cache as a whole: statistics and removals.
struct CacheMaintenanceHandler: Sendable {
    let store: TieredStore
    let failures: FailureMemory
    let state: StateConnection
    let clock: WallClock

    func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        switch request.envelope.header.kind {
        case CacheStatsRequest.kind: return try await .json(stats())
        case CachePurgeRequest.kind:
            let purge = try JSONBytes.decode(CachePurgeRequest.self, from: request.envelope.payload)
            return try await remove(CacheSelection(purge.what))
        default: return try await remove(.everything)
        }
    }

    private func remove(_ selection: CacheSelection) async throws -> ServiceAnswer {
        let entries: Int
        do {
            entries = try await store.remove(selection)
        } catch let error as StorageError {
            throw Failure.diskRefused(error)
        }
        return try .json(
            CacheRemovalReply(
                entries: entries, failures: await failures.forget(at: clock.milliseconds, where: selection.includes)))
    }

    private func stats() async -> CacheStatsReply {
        let statistics = await store.statistics
        let configuration = store.configuration
        let bounds = configuration.memory.bounds.merging([MemoryTier.otherPool: configuration.memory.otherBound]) { $1 }
        let memory = statistics.memory.sorted { $0.key < $1.key }.map { name, tier in
            CacheStatsReply.Tier(name, tier, bounds[name] ?? configuration.memory.otherBound)
        }
        return CacheStatsReply(
            memory: memory, disk: CacheStatsReply.Tier("disk", statistics.disk, configuration.disk.bound),
            diskFailure: statistics.diskCondition.reason, failures: await failures.count(at: clock.milliseconds),
            fresh: statistics.fresh,
            stale: statistics.stale, missing: statistics.missing,
            setAside: [await store.setAside, await state.setAside].compactMap(\.self),
            deleted: [await store.deleted, await state.deleted].compactMap(\.self),
            damagedState: await state.damaged)
    }
}

extension Failure {
    static func diskRefused(_ error: StorageError) -> Failure {
        Failure(
            .storage,
            LocalizedText(
                ko: "디스크에 쓰지 못해 그대로 두었습니다(\(error)). 자리를 비우고 다시 시도하세요.",
                en: "The disk refused, and nothing was changed (\(error)). Make room on it and try again."),
            isRetryable: error.isRetryable)
    }
}

extension CacheStatsReply.Tier {
    init(_ name: String, _ tier: TierStatistics, _ bound: TierBound) {
        self.init(
            name: name, entries: tier.entries, bytes: tier.bytes, maxEntries: bound.entries, maxBytes: bound.bytes,
            hits: tier.hits, misses: tier.misses, evictions: tier.evictions, refusals: tier.refusals,
            damaged: tier.damaged)
    }
}

extension DiskCondition {
    fileprivate var reason: String? {
        switch self {
        case .healthy: nil
        case .degraded(let error): error.description
        }
    }
}
