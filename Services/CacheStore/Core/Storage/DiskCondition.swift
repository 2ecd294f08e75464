/// Whether the store can use its disk.
public enum DiskCondition: Sendable {
    case healthy
    /// The last access failed and answers come from memory; every access retries, and a commit makes it healthy.
    case degraded(StorageError)
}
