/// What is known of a chart. A missing chart is never a chart without films.
public enum ChartState: String, Codable, Sendable, Hashable, CaseIterable {
    /// Last seen after KOBIS stopped correcting it.
    case settled
    /// Last seen before that: its figures may change.
    case provisional
    /// Settled, without films.
    case empty
    /// KOBIS had not published it when it was last asked.
    case notPublished = "not_published"
    /// The latest attempt to fetch it failed.
    case failed
    /// Nobody has asked for it.
    case unknown

    /// Whether its figures are final: nothing is left to fetch.
    public var isFinal: Bool { self == .settled || self == .empty }
    /// Whether its films are known.
    public var isKnown: Bool { isFinal || self == .provisional }
}
