/// How sure we are that a chosen image is a poster.
public enum PosterConfidence: String, Codable, Sendable, Equatable {
    case high
    case low
}
