internal import Contracts
internal import Envelope
internal import MessageBus

/// Client of cache-store: typed requests over the bus.
struct CacheClient: Sendable {
    private let bus: MessageBus

    init(bus: MessageBus) {
        self.bus = bus
    }

    /// The result of a get: the reply, and the value if there is one.
    struct Answer: Sendable {
        let reply: CacheGetReply
        let value: [UInt8]?
        /// The failure of the fetch for which the get waited.
        let failure: Failure?
    }

    func get(
        _ request: CacheGetRequest, trace: Trace, deadline: ContinuousClock.Instant
    ) async throws -> Answer {
        // A get may grant a lease; a repeated get of the same instance returns the same lease.
        let envelope = try await ask(CacheGetRequest.kind, request, trace: trace, deadline: deadline)
        return Answer(
            reply: try JSONBytes.decode(CacheGetReply.self, from: envelope.payload),
            value: envelope.attachments.first, failure: envelope.header.failure)
    }

    func put(
        _ request: CachePutRequest, value: [UInt8], trace: Trace, deadline: ContinuousClock.Instant
    ) async throws -> CachePutReply {
        let envelope = try await ask(
            CachePutRequest.kind, request, attachments: [value], trace: trace, deadline: deadline)
        return try JSONBytes.decode(CachePutReply.self, from: envelope.payload)
    }

    func renew(_ request: CacheRenewRequest, trace: Trace, deadline: ContinuousClock.Instant) async throws {
        _ = try await ask(CacheRenewRequest.kind, request, trace: trace, deadline: deadline)
    }

    func release(
        _ request: CacheReleaseRequest, trace: Trace, deadline: ContinuousClock.Instant
    ) async throws {
        _ = try await ask(CacheReleaseRequest.kind, request, trace: trace, deadline: deadline)
    }

    /// Throws the failure of a reply that has no payload.
    private func ask(
        _ kind: String, _ payload: some Encodable, attachments: [[UInt8]] = [], trace: Trace,
        deadline: ContinuousClock.Instant
    ) async throws -> Envelope {
        let request = BusRequest(
            service: ServiceName.cacheStore, kind: kind, trace: trace, payload: try JSONBytes.encode(payload),
            attachments: attachments)
        let envelope = try await bus.request(request, deadline: deadline).envelope
        if envelope.payload.isEmpty, let failure = envelope.header.failure { throw failure }
        return envelope
    }
}

extension Failure {
    /// No cache-store takes the request, or it was lost as often as the bus repeats it, as while a stack is replaced.
    var isOfLostCache: Bool { code == .unavailable || code == .workerLost }
}
