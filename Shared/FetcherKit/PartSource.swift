public import Contracts
internal import Envelope
internal import MessageBus
public import ServiceKit
public import Upstream

/// What makes one fetcher different from another: the requests that it answers and how it asks its upstream.
public protocol PartSource<Request>: Sendable {
    associatedtype Request: PartRequest

    /// The name of its service.
    static var service: String { get }
    /// Whose calls it makes.
    var account: UpstreamAccount { get }

    /// Asks the upstream; what it returns is passed on and stored.
    ///
    /// - Parameters:
    ///   - transport: counts its attempts.
    ///   - deadline: to be kept by the fetch itself.
    func fetch(
        _ request: Request, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart
}

extension PartSource {
    /// The service's answers: through the cache where it can, from the upstream where it must.
    public func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        { incoming in
            guard Request.kinds.contains(incoming.envelope.header.kind) else {
                throw Failure.unknownKind(incoming.envelope.header.kind, service: Self.service)
            }
            let request = try JSONBytes.decode(Request.self, from: incoming.envelope.payload)
            let meter = UpstreamMeter()
            let trace = incoming.trace
            return await parts.answer(
                key: request.cacheKey, isRefresh: request.isRefresh, trace: trace, meter: meter
            ) { deadline, isCounted in
                try await gate.pass(meter: meter, trace: trace, isCounted: isCounted) { transport in
                    try await fetch(request, over: transport, deadline: deadline)
                }
            }
        }
    }
}
