public import Envelope

/// A request to a service.
public struct BusRequest: Sendable {
    public var service: String
    public var kind: String
    public var trace: Trace
    public var payload: [UInt8]
    public var attachments: [[UInt8]]
    /// May be processed twice when a worker is lost.
    public var isIdempotent: Bool
    /// The number of this call, unique in the query.
    public let call: UInt64

    public init(
        service: String, kind: String, trace: Trace, payload: [UInt8] = [], attachments: [[UInt8]] = [],
        isIdempotent: Bool = true
    ) {
        self.service = service
        self.kind = kind
        self.trace = trace
        self.payload = payload
        self.attachments = attachments
        self.isIdempotent = isIdempotent
        call = UniqueNumber.next()
    }

    /// The same request as a new call, for use after the first call has ended.
    public func repeated() -> BusRequest {
        BusRequest(
            service: service, kind: kind, trace: trace, payload: payload, attachments: attachments,
            isIdempotent: isIdempotent)
    }
}

/// The answer to a request, with its delivery details.
public struct BusReply: Sendable {
    public let envelope: Envelope
    /// The number of times that the request was dispatched, 1 unless a worker was lost.
    public let attempts: Int
    /// The time that it was queued at the broker.
    public let queuedMicroseconds: Int
    /// From sending to receiving.
    public let took: Duration

    public init(envelope: Envelope, attempts: Int, queuedMicroseconds: Int, took: Duration) {
        self.envelope = envelope
        self.attempts = attempts
        self.queuedMicroseconds = queuedMicroseconds
        self.took = took
    }
}
