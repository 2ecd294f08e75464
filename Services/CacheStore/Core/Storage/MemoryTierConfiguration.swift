/// The memory bound of each family of kinds.
///
/// Each named family, and all the others together, evict only among themselves: many posters cannot evict a chart.
public struct MemoryTierConfiguration: Hashable, Sendable {
    /// Bounds by kind (`chart.daily`) or by family (`chart`); the kind's own bound takes precedence.
    public var bounds: [String: TierBound]
    /// The bound that all kinds without a bound of their own share.
    public var otherBound: TierBound

    public init(
        bounds: [String: TierBound] = MemoryTierConfiguration.defaultBounds,
        otherBound: TierBound = TierBound(bytes: 4 << 20, entries: 2_000)
    ) {
        self.bounds = bounds
        self.otherBound = otherBound
    }

    /// The numbers of entries follow from the usual size of such a payload.
    public static let defaultBounds = [
        "chart": TierBound(bytes: 20 << 20, entries: 4_000),
        "movie": TierBound(bytes: 4 << 20, entries: 2_000),
        "poster": TierBound(bytes: 4 << 20, entries: 2_000),
        // Images, of up to 1.5 MiB each, have their own bound.
        "poster.image": TierBound(bytes: 16 << 20, entries: 500),
    ]
}
