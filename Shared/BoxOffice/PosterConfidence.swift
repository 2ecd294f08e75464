/// The confidence that a chosen image is a poster; a value of a later release is kept as it is.
public struct PosterConfidence: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let high = PosterConfidence(rawValue: "high")
    /// The image was chosen by hand.
    public static let pinned = PosterConfidence(rawValue: "pinned")
    public static let low = PosterConfidence(rawValue: "low")
}
