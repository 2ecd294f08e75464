/// How sure we are that a chosen image is a poster; a word of a later release is read as it is.
public struct PosterConfidence: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let high = PosterConfidence(rawValue: "high")
    /// Somebody has chosen it.
    public static let pinned = PosterConfidence(rawValue: "pinned")
    public static let low = PosterConfidence(rawValue: "low")
}
