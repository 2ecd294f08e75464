/// The location of the disk tier's file, and its bound.
public struct DiskTierConfiguration: Hashable, Sendable {
    /// The folder of `cache.sqlite`; created with its parents when it is missing.
    public var folder: String
    /// The bound of the entries; the file is larger by SQLite's overhead and reuses free pages instead of shrinking.
    public var bound: TierBound

    public init(folder: String, bound: TierBound = TierBound(bytes: 512 << 20, entries: 500_000)) {
        self.folder = folder
        self.bound = bound
    }

    /// The database's path: `cache.sqlite` in the folder.
    public var path: String { folder + "/cache.sqlite" }
}
