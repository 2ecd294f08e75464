public import Contracts
internal import Envelope
internal import MessageBus
public import ServiceKit
public import Upstream

/// One kind of part: the requests for it that a fetcher answers, and how it is fetched.
public protocol PartSource<Request>: Sendable {
    associatedtype Request: PartRequest

    /// The name of its service.
    static var service: String { get }
    /// Where what it fetches lies in an answer.
    var form: PartForm { get }

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
    public var form: PartForm { .payload }

    /// The answers to its requests: through the cache where it can, from the upstream where it must.
    public func partHandler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        { incoming in
            guard Request.kinds.contains(incoming.envelope.header.kind) else {
                throw Failure.unknownKind(incoming.envelope.header.kind, service: Self.service)
            }
            let request = try JSONBytes.decode(Request.self, from: incoming.envelope.payload)
            let meter = UpstreamMeter()
            let trace = incoming.trace
            var answer = await parts.answer(
                key: request.cacheKey, isRefresh: request.isRefresh, form: form, trace: trace, meter: meter
            ) { deadline, isCounted in
                try await gate.pass(meter: meter, trace: trace, isCounted: isCounted, deadline: deadline) {
                    transport in
                    try await fetch(request, over: transport, deadline: deadline)
                }
            }
            answer.attributes["key"] = .text(request.cacheKey)
            return answer
        }
    }
}
