public import Contracts
public import Upstream

/// Whose calls a fetcher makes: an upstream's, with one key.
public struct UpstreamAccount: Sendable {
    public let upstream: String
    /// The key's fingerprint.
    public let key: String
    /// Calls that the key has a day.
    public let dailyLimit: CallLimit

    public init(upstream: String, key: APIKey, dailyLimit: CallLimit) {
        self.upstream = upstream
        self.key = key.fingerprint
        self.dailyLimit = dailyLimit
    }
}
