/// Where the disk tier keeps its file and how large it may grow.
public struct DiskTierConfiguration: Hashable, Sendable {
    /// The folder of `cache.sqlite`; made with its parents when it is missing.
    public var folder: String
    /// The bound on what is stored; the file is larger by SQLite's overhead and does not shrink, it reuses its pages.
    public var bound: TierBound

    public init(folder: String, bound: TierBound = TierBound(bytes: 512 << 20, entries: 500_000)) {
        self.folder = folder
        self.bound = bound
    }

    /// The database's path: `cache.sqlite` in the folder.
    public var path: String { folder + "/cache.sqlite" }
}
