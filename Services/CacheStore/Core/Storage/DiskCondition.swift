/// Whether the store has its disk.
public enum DiskCondition: Sendable {
    case healthy
    /// The last access failed and answers come from memory; every access tries again, and a commit makes it healthy.
    case degraded(StorageError)
}
