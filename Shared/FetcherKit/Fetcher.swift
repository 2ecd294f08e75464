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
