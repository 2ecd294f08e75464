import GRDB
public import Storage

/// The store's counters since the process started.
public struct StoreStatistics: Sendable {
    /// By pool: the families of `MemoryTierConfiguration`, and `other`.
    public var memory: [String: TierStatistics]
    /// Bytes and entries as of the last commit; hits and misses count only keys that memory lacked.
    public var disk: TierStatistics
    public var diskCondition: DiskCondition
    /// Requested keys answered with a fresh entry from either tier.
    public var fresh: Int
    /// Requested keys answered with a stale entry.
    public var stale: Int
    /// Requested keys without an entry.
    public var missing: Int
}

/// The contents of a tier, and its counters since the process started.
public struct TierStatistics: Hashable, Sendable {
    /// Current sum of the entries' `size`; a file is larger by its own overhead.
    public var bytes = 0
    public var entries = 0
    public var hits = 0
    public var misses = 0
    /// Entries removed to make room for others.
    public var evictions = 0
    /// Entries refused because one alone exceeds the bound.
    public var refusals = 0
    /// Damaged entries, which were removed.
    public var damaged = 0

    public init() {}
}

/// The totals of the database, stored in the database itself so that no sum over all entries is needed.
struct DiskTally: Hashable, Sendable {
    var bytes: Int
    var entries: Int
    /// Counts uses; an entry's `lastUse` is the value at its last use. Unlike a wall clock, it never steps back.
    var uses: Int64

    static func read(_ db: Database) throws -> DiskTally {
        guard let row = try Row.fetchOne(db, sql: "SELECT bytes, entries, uses FROM tally") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table of sums is empty")
        }
        return DiskTally(bytes: row[0], entries: row[1], uses: row[2])
    }

    func write(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE tally SET bytes = ?, entries = ?, uses = ?")
            .execute(arguments: [bytes, entries, uses])
    }

    mutating func nextUse() -> Int64 {
        uses += 1
        return uses
    }
}

/// Whether the store can use its disk.
public enum DiskCondition: Sendable {
    case healthy
    /// The last access failed and answers come from memory; every access retries, and a commit makes it healthy.
    case degraded(StorageError)
}
