/// How a request was answered.
///
/// A word that this release does not know is read as it is, so that it spoils nothing but the one answer.
public struct ReplyStatus: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let ok = ReplyStatus(rawValue: "ok")
    /// An answer, but an old one: something fresh could not be had, see `failure`.
    public static let stale = ReplyStatus(rawValue: "stale")
    public static let failed = ReplyStatus(rawValue: "failed")
}
