/// Tracks which keys are being put and read, so that an outdated read from disk never enters memory.
///
/// SQLite orders the accesses, but their results arrive in any order. Without this, a late result could leave an older
/// entry in memory, where it hides the newer one on disk.
struct KeyTraffic: Sendable {
    private struct Puts {
        var count = 0
        var newest = Int64.min
        var areOvertaken = false
    }

    private struct Reads {
        var count = 0
        var areOvertaken: Bool
    }

    private var puts: [String: Puts] = [:]
    private var reads: [String: Reads] = [:]

    /// While true, the latest entry is determined by the disk, not by memory.
    func isPutting(_ key: String) -> Bool {
        puts[key] != nil
    }

    mutating func putBegan(_ key: String) {
        puts[key, default: Puts()].count += 1
        reads[key]?.areOvertaken = true
    }

    /// Marks all running reads and puts as overtaken, because entries have been removed.
    mutating func markOvertaken() {
        for key in Array(reads.keys) { reads[key]?.areOvertaken = true }
        for key in Array(puts.keys) { puts[key]?.areOvertaken = true }
    }

    /// Whether memory may take the entry: no newer put has ended meanwhile, and nothing was removed.
    ///
    /// - Parameter storedAt: the entry's time, `nil` when it was not stored.
    mutating func putEnded(_ key: String, storedAt: Int64?) -> Bool {
        guard var ongoing = puts.removeValue(forKey: key) else { return false }
        let isNewest = storedAt.map { $0 >= ongoing.newest && !ongoing.areOvertaken } ?? false
        ongoing.count -= 1
        ongoing.newest = max(ongoing.newest, storedAt ?? .min)
        if ongoing.count > 0 { puts[key] = ongoing }
        return isNewest
    }

    mutating func readBegan(_ key: String) {
        let began = Reads(areOvertaken: isPutting(key))
        reads[key, default: began].count += 1
    }

    /// Whether memory may take the read entry: no put of the key has been running since the read began.
    mutating func readEnded(_ key: String) -> Bool {
        guard var ongoing = reads.removeValue(forKey: key) else { return false }
        ongoing.count -= 1
        if ongoing.count > 0 { reads[key] = ongoing }
        return !ongoing.areOvertaken
    }
}
