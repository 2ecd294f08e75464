public import Contracts
public import Envelope
internal import MessageBus
public import ServiceKit
public import Upstream

/// One kind of part: its requests and its fetch.
public protocol PartSource<Request>: Sendable {
    associatedtype Request: PartRequest

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
    /// The name of the service.
    public static var service: String { Request.service }
    public var form: PartForm { .payload }

    /// The handler of its requests: answers from the cache if possible, else from the upstream.
    public func partHandler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        { incoming in
            guard Request.kinds.contains(incoming.envelope.header.kind) else {
                throw Failure.unknownKind(incoming.envelope.header.kind, service: Self.service)
            }
            let request = try JSONBytes.decode(Request.self, from: incoming.envelope.payload)
            let meter = UpstreamMeter()
            var answer = await parts.answer(
                key: request.cacheKey, isRefresh: request.isRefresh, form: form, trace: incoming.trace, meter: meter,
                callerDeadline: incoming.deadline, gate: gate
            ) { terms in
                try await gate.run(meter: meter, terms) { transport in
                    try await fetch(request, over: transport, deadline: terms.deadline)
                }
            }
            answer.attributes["key"] = .text(request.cacheKey)
            return answer
        }
    }
}

/// The result of a fetch: the value, which is answered and stored byte for byte.
public struct FetchedPart: Sendable {
    public let value: [UInt8]
    /// Time for which the value is fresh.
    public let freshFor: Duration
    /// Attributes that the cache stores with the value.
    public let attributes: [String: String]
    /// The difference from the value that was stored before; nil when there is none to publish.
    let revision: @Sendable (_ stored: [UInt8]) throws -> Revision?

    public init(
        value: [UInt8], freshFor: Duration, attributes: [String: String] = [:],
        revision: @escaping @Sendable (_ stored: [UInt8]) throws -> Revision? = { _ in nil }
    ) {
        self.value = value
        self.freshFor = freshFor
        self.attributes = attributes
        self.revision = revision
    }

    /// The part with its source among the stored attributes.
    func from(_ source: DataSource) -> FetchedPart {
        FetchedPart(
            value: value, freshFor: freshFor, attributes: attributes.merging(source.attributes) { $1 },
            revision: revision)
    }
}

/// The place of a stored part in an answer.
public enum PartForm: Sendable {
    /// The stored value is the payload.
    case payload
    /// The stored value is the first attachment, and the payload is the stored attribute of that name: an image and its
    /// description.
    case attachment(attribute: String)

    func parts(_ value: [UInt8], _ attributes: [String: String]) -> (payload: [UInt8], attachments: [[UInt8]]) {
        switch self {
        case .payload: (value, [])
        case .attachment(let name): (Array((attributes[name] ?? "").utf8), [value])
        }
    }
}

/// The difference between a fetched and a stored value, to be published as an event.
public struct Revision: Sendable {
    public let kind: EventKind
    public let attributes: [String: AttributeValue]

    public init(kind: EventKind, attributes: [String: AttributeValue]) {
        self.kind = kind
        self.attributes = attributes
    }
}
