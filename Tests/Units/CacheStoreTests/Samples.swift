import InMemoryLogging
import Logging
import Storage

@testable import CacheStoreCore

extension CacheEntry {
    /// An entry whose `size` is exactly `size`, or the size of its key if that is larger.
    static func sample(_ key: String, size: Int = 100, storedAt: Int64 = 1_000, fill: UInt8 = 0x7B) -> CacheEntry {
        CacheEntry(
            key: key, value: [UInt8](repeating: fill, count: max(0, size - key.utf8.count)),
            storedAt: storedAt, freshUntil: storedAt + 60_000, fetchedBy: "")
    }
}

extension DiskTier {
    static func open(
        in folder: String, bound: TierBound = TierBound(bytes: 1 << 20, entries: 1_000), at now: Int64 = 7,
        logger: Logger = .silent
    ) async throws -> DiskTier {
        try await open(DiskTierConfiguration(folder: folder, bound: bound), logger: logger, at: now)
    }
}

extension DiskTier {
    func put(_ entries: [CacheEntry], uses: [String] = []) async throws -> Commit {
        try await put(entries, uses: uses, at: 1_000_000)
    }

    /// The stored entries that are not damaged.
    func entries(for keys: [String]) async throws -> [String: CacheEntry] {
        try await read(keys).entries
    }
}

extension MemoryTier {
    @discardableResult
    mutating func insert(_ entry: CacheEntry) -> Insertion { insert(entry, at: 1_000_000) }
}

extension TieredStore {
    static func open(
        in folder: String, memory: TierBound = TierBound(bytes: 1 << 20, entries: 1_000),
        disk: TierBound = TierBound(bytes: 1 << 20, entries: 1_000), memoryOnly: Set<String> = [],
        logger: Logger = .silent
    ) async throws -> TieredStore {
        try await open(
            StorageConfiguration(
                memory: MemoryTierConfiguration(bounds: [:], otherBound: memory),
                disk: DiskTierConfiguration(folder: folder, bound: disk), memoryOnlyKinds: memoryOnly),
            logger: logger, wallClock: { 7 })
    }
}

extension QuotaLedger {
    /// A ledger with its own connection.
    static func open(in folder: String, logger: Logger = .silent) async throws -> QuotaLedger {
        try await open(StateConnection(folder: folder, logger: logger, wallClock: { 7 }), logger: logger)
    }
}

extension PinStore {
    /// A store with its own connection.
    static func open(in folder: String) async throws -> PinStore {
        let state = StateConnection(folder: folder, logger: .silent, wallClock: { 7 })
        return try await open(state, logger: .silent, wallClock: { 7 })
    }
}

extension DiskCondition {
    /// The code of the failure, `nil` when the disk is healthy.
    var failure: StorageError.Code? {
        switch self {
        case .healthy: nil
        case .degraded(let error): error.code
        }
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    /// A logger whose entries the test reads.
    static func recording(to handler: InMemoryLogHandler) -> Logger {
        Logger(label: "test") { _ in handler }
    }
}

/// A small seeded generator, so that a failing schedule can be repeated.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
