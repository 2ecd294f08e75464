public import Envelope

/// A request as delivered to a service.
public struct IncomingRequest: Sendable {
    public let envelope: Envelope
    public let trace: Trace
    /// The instant at which the caller times out.
    public let deadline: ContinuousClock.Instant
    /// The number of times that the broker has dispatched this request, this one included.
    public let attempts: Int
    /// The authenticated role of the caller, by the numbers of the contracts.
    public let role: UInt8
    let id: RequestID?

    /// The 32 digits that identify this call in events; nil for a call of a plain client.
    public var requestText: String? { id?.description }
}

/// Thrown by a draining handler that would wait for something that can no longer arrive: the request is returned
/// undelivered.
///
/// The broker redelivers it to another worker once this worker has disconnected, or to the next worker that registers.
/// If this worker does not disconnect, the caller waits until its deadline.
public struct RequestReturned: Error, Sendable {
    public init() {}
}
