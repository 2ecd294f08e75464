/// The outcome of a request.
///
/// A value of a later release is kept as it is, so that only this answer is affected.
public struct ReplyStatus: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let ok = ReplyStatus(rawValue: "ok")
    /// The answer is old because no fresh value could be fetched; see `failure`.
    public static let stale = ReplyStatus(rawValue: "stale")
    public static let failed = ReplyStatus(rawValue: "failed")
}
