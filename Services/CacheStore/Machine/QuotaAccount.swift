/// An account whose calls are counted: a key at an upstream.
public struct QuotaAccount: Hashable, Sendable {
    /// "KOBIS", "Kakao".
    public let upstream: String
    /// A fingerprint of the key, never the key.
    public let key: String

    public init(upstream: String, key: String) {
        self.upstream = upstream
        self.key = key
    }
}
