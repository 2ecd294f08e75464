public import Contracts
public import ServiceKit
public import Upstream

/// The main kind of part of a fetcher service, fetched with an account of its upstream.
public protocol Fetcher: PartSource {
    /// The account that its calls are charged to.
    var account: UpstreamAccount { get }
    /// Used by its clients, its gate and its fetches.
    var retry: UpstreamRetry { get }

    /// The handler of all request kinds of the service.
    func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler
}

extension Fetcher {
    public func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        partHandler(parts: parts, gate: gate)
    }
}

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
