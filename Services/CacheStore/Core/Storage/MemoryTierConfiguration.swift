/// How much memory each family of kinds may take.
///
/// Each named family, and all the others together, evict only among themselves: a flood of posters cannot push a
/// chart out.
public struct MemoryTierConfiguration: Hashable, Sendable {
    /// Bounds by kind (`chart.daily`) or by family (`chart`); the kind's own bound goes first.
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

    /// The capacities of F23 in product.md; the numbers of entries follow from what such a payload weighs.
    public static let defaultBounds = [
        "chart": TierBound(bytes: 20 << 20, entries: 4_000),
        "movie": TierBound(bytes: 4 << 20, entries: 2_000),
        "poster": TierBound(bytes: 4 << 20, entries: 2_000),
        // Images themselves, of up to 1.5 MiB each: room of their own.
        "poster.image": TierBound(bytes: 16 << 20, entries: 500),
    ]
}
