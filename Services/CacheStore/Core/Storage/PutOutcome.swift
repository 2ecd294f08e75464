/// The result of a put.
public enum PutOutcome: Hashable, Sendable {
    /// Committed to disk: it survives the end of the process.
    case stored
    /// Held in memory, because its kind is never written to disk: lost at a restart.
    case storedInMemory
    /// Held in memory alone because the disk is degraded: lost at a restart.
    case keptInMemory
    /// The entry alone exceeds the bound of the tier that would keep it; nothing was changed on disk.
    case refusedTooLarge
    /// A newer entry is kept.
    case superseded
}
