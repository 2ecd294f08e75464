public import ServiceKit
public import Upstream

/// A fetcher's main kind of part, which is fetched with an account of its upstream.
public protocol Fetcher: PartSource {
    /// Whose calls it makes.
    var account: UpstreamAccount { get }
    /// Of its clients, its gate and its fetches alike.
    var retry: UpstreamRetry { get }

    /// The service's answers to all its kinds of requests.
    func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler
}

extension Fetcher {
    public func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        partHandler(parts: parts, gate: gate)
    }
}
