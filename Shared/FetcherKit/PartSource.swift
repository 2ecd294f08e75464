public import Contracts
internal import Envelope
internal import MessageBus
public import ServiceKit
public import Upstream

/// One kind of part: its requests and its fetch.
public protocol PartSource<Request>: Sendable {
    associatedtype Request: PartRequest

    /// The name of the service.
    static var service: String { get }
    /// The place of the fetched value in an answer.
    var form: PartForm { get }

    /// Fetches from the upstream; the result is answered and stored.
    ///
    /// - Parameters:
    ///   - transport: counts its attempts.
    ///   - deadline: the fetch must keep it.
    func fetch(
        _ request: Request, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart
}

extension PartSource {
    public var form: PartForm { .payload }

    /// The handler of its requests: answers from the cache if possible, else from the upstream.
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
                try await gate.run(meter: meter, trace: trace, isCounted: isCounted, deadline: deadline) {
                    transport in
                    try await fetch(request, over: transport, deadline: deadline)
                }
            }
            answer.attributes["key"] = .text(request.cacheKey)
            return answer
        }
    }
}
