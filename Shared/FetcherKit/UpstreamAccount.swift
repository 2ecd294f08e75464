public import Contracts
public import Upstream

/// The account that the calls of a fetcher are charged to: an upstream and a key.
public struct UpstreamAccount: Sendable {
    public let upstream: String
    /// Fingerprint of the key.
    public let key: String
    /// Calls per day of the key.
    public let dailyLimit: CallLimit

    public init(upstream: String, key: APIKey, dailyLimit: CallLimit) {
        self.upstream = upstream
        self.key = key.fingerprint
        self.dailyLimit = dailyLimit
    }
}
