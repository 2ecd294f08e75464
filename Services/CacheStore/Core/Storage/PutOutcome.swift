/// What became of an entry that was put.
public enum PutOutcome: Hashable, Sendable {
    /// Committed to disk: it survives the death of the process.
    case stored
    /// Held in memory, where alone its kind is kept: a restart forgets it.
    case storedInMemory
    /// Held in memory alone because the disk is degraded: a restart forgets it.
    case keptInMemory
    /// One entry alone larger than the bound of the tier that would have to keep it; nothing was changed on disk.
    case refusedTooLarge
    /// A newer entry is stored and stays.
    case superseded
}
