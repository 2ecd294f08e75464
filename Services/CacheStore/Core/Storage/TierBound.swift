/// The bound of a tier, or of one part of it; beyond either figure the least recently used entries are evicted.
public struct TierBound: Hashable, Sendable {
    /// Sum of the entries' `size`.
    public var bytes: Int
    public var entries: Int

    public init(bytes: Int, entries: Int) {
        self.bytes = bytes
        self.entries = entries
    }
}
