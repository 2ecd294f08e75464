import CacheStoreMachine
public import Logging
public import Storage

/// Memory over disk: reads try memory first, puts are acknowledged after the commit.
///
/// Reads and puts never fail with the disk: they are answered from memory, and `statistics` and the log report the
/// failure. Reads throw `CancellationError` only.
public actor TieredStore {
    public nonisolated let configuration: StorageConfiguration
    let lock: DataFolder?
    let logger: Logger
    let wallClock: @Sendable () -> Int64
    let onDamage: @Sendable (_ key: String) -> Void
    var memory: MemoryTier
    var disk: DiskTier?
    var diskCondition: DiskCondition
    var diskTally = DiskTally(bytes: 0, entries: 0, uses: 0)
    var diskStatistics = TierStatistics()
    /// The new path of an unusable database that was moved aside.
    var setAside: String?
    /// The path of a database that was deleted or replaced while it was open.
    var deleted: String?
    var retryPause = RetryPause()
    var isClosed = false
    /// While a damaged database is replaced, no other call may open one.
    var isReplacing = false
    var uses = UseLog()
    var queuedWrites: [(entry: CacheEntry, continuation: CheckedContinuation<DiskTier.Write?, Never>)] = []
    var isWriting = false
    private var traffic = KeyTraffic()
    private var answered = (fresh: 0, stale: 0, missing: 0)
    /// Counts the changes of entries: while it is unchanged, so are the entries.
    private(set) var changes = 0

    /// Opens the store, with memory alone if the disk cannot be opened.
    ///
    /// - Parameters:
    ///   - lock: of the folder.
    ///   - wallClock: milliseconds since 1970.
    ///   - onDamage: called with the key of each damaged entry on disk.
    /// - Throws: `StorageError` for a database that this program must not change.
    public static func open(
        _ configuration: StorageConfiguration, lock: DataFolder? = nil, logger: Logger,
        wallClock: @escaping @Sendable () -> Int64,
        onDamage: @escaping @Sendable (_ key: String) -> Void = { _ in }
    ) async throws -> TieredStore {
        let store = TieredStore(
            configuration: configuration, lock: lock, logger: logger, wallClock: wallClock, onDamage: onDamage)
        try await store.openDisk()
        return store
    }

    private init(
        configuration: StorageConfiguration, lock: DataFolder?, logger: Logger,
        wallClock: @escaping @Sendable () -> Int64, onDamage: @escaping @Sendable (_ key: String) -> Void
    ) {
        self.lock = lock
        self.onDamage = onDamage
        self.configuration = configuration
        self.logger = logger
        self.wallClock = wallClock
        memory = MemoryTier(configuration: configuration.memory)
        diskCondition = .degraded(StorageError(.closed, "the disk tier was not opened"))
    }

    public var statistics: StoreStatistics {
        var disk = diskStatistics
        disk.bytes = diskTally.bytes
        disk.entries = diskTally.entries
        return StoreStatistics(
            memory: memory.statistics, disk: disk, diskCondition: diskCondition,
            fresh: answered.fresh, stale: answered.stale, missing: answered.missing)
    }

    /// The stored entries, fresh or not, in the order of the keys; a key that is not stored has none.
    ///
    /// Entries that memory lacks are read in one disk transaction and promoted to memory.
    ///
    /// - Parameter now: milliseconds since 1970.
    public func entries(for keys: [String], at now: Int64) async throws -> [CacheEntry] {
        var found: [CacheEntry] = []
        found.reserveCapacity(keys.count)
        var missing: [String] = []
        for key in keys {
            if !traffic.isPutting(key), let entry = memory.entry(for: key) {
                found.append(entry)
                count(entry, at: now)
            } else {
                missing.append(key)
            }
        }
        guard !missing.isEmpty else { return found }
        let forDisk = missing.filter(configuration.isForDisk)
        var all = Dictionary(found.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        if !forDisk.isEmpty { try await addFromDisk(forDisk, to: &all, at: now) }
        for key in missing { count(all[key], at: now) }
        return keys.compactMap { all[$0] }
    }

    private func addFromDisk(
        _ keys: [String], to found: inout [String: CacheEntry], at now: Int64
    ) async throws {
        for key in keys { traffic.readBegan(key) }
        var read: [String: CacheEntry] = [:]
        // Also after an error: a key whose read never ends would never be promoted again.
        defer {
            for key in keys where traffic.readEnded(key) {
                if let entry = read[key] { memory.insert(entry, at: now) }
            }
        }
        read = try await readFromDisk(keys)
        for key in keys {
            // Memory may have a newer entry, and without a disk it has the only one.
            let held = memory.peek(key)
            found[key] = read[key].map { newer(of: $0, held, at: now) } ?? held
        }
    }

    /// Stores an entry unless a newer one is stored; returns after the commit, if its kind is stored on disk.
    public func put(_ entry: CacheEntry) async -> PutOutcome {
        defer { changes += 1 }
        let now = wallClock()
        guard configuration.isForDisk(entry.key) else { return keepInMemory(entry, as: .storedInMemory, at: now) }
        traffic.putBegan(entry.key)
        let write = await writeToDisk(entry)
        let isStored = write == .stored || write == nil
        let isNewest = traffic.putEnded(entry.key, storedAt: isStored ? entry.storedAt : nil)
        switch write {
        case .refusedTooLarge: return .refusedTooLarge
        case .superseded: return .superseded
        case .stored:
            if isNewest { memory.insert(entry, at: now) }
            return .stored
        case nil: return keepInMemory(entry, as: .keptInMemory, at: now)
        }
    }

    /// Stores an entry in memory alone.
    private func keepInMemory(_ entry: CacheEntry, as outcome: PutOutcome, at now: Int64) -> PutOutcome {
        switch memory.insert(entry, at: now) {
        case .stored: outcome
        case .refusedTooLarge: .refusedTooLarge
        case .superseded: .superseded
        }
    }

    /// Removes the selected entries from both tiers; entries that are put meanwhile remain.
    ///
    /// - Returns: how many entries were removed: those on disk, and those held in memory only.
    /// - Throws: `StorageError` when the disk fails.
    public func remove(_ selection: CacheSelection) async throws -> Int {
        defer { changes += 1 }
        traffic.markOvertaken()
        let held = memory.remove(selection)
        let removed = try await removeFromDisk(selection)
        // Again: during the disk's removal other calls may have read or put the entries.
        traffic.markOvertaken()
        memory.remove(selection)
        return removed.map { $0 + held.count { !configuration.isForDisk($0) } } ?? held.count
    }

    /// Closes the disk after the running accesses have ended; entries in memory are still answered.
    public func close() async {
        await closeDisk()
    }

    private func newer(of entry: CacheEntry, _ held: CacheEntry?, at now: Int64) -> CacheEntry {
        guard let held, entry.isSuperseded(by: held.storedAt, at: now) else { return entry }
        return held
    }

    private func count(_ entry: CacheEntry?, at now: Int64) {
        guard let entry else {
            answered.missing += 1
            return
        }
        if entry.isFresh(at: now) { answered.fresh += 1 } else { answered.stale += 1 }
        uses.note(entry.key)
    }
}

/// The keys used since the last commit, which are written with the next one.
///
/// Bounded, so that a put after many reads does not take longer: beyond the bound the oldest uses are dropped, which
/// only makes the eviction on disk slightly less exact.
struct UseLog: Sendable {
    static let capacity = 256

    private var keys = RecencyList<String, Void>()

    mutating func note(_ key: String) {
        keys.set((), for: key)
        if keys.count > Self.capacity, let oldest = keys.oldest { keys.remove(oldest.key) }
    }

    /// Removes and returns all keys, the oldest use first.
    mutating func drain() -> [String] {
        defer { keys = RecencyList() }
        return keys.keysFromOldest
    }
}
