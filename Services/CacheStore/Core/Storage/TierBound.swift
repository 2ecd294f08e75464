/// How much a tier, or one part of it, may hold; beyond either figure the entries used longest ago leave.
public struct TierBound: Hashable, Sendable {
    /// Sum of the entries' `size`.
    public var bytes: Int
    public var entries: Int

    public init(bytes: Int, entries: Int) {
        self.bytes = bytes
        self.entries = entries
    }
}
