public import Envelope
internal import Majordomo

/// A request as a service sees it.
public struct IncomingRequest: Sendable {
    public let envelope: Envelope
    public let trace: Trace
    /// When the caller stops waiting.
    public let deadline: ContinuousClock.Instant
    /// How often the broker has handed this request out, this time included.
    public let attempts: Int
    let id: RequestID?

    /// The 32 digits by which events name this call; nil for a plain client's.
    public var requestText: String? { id?.description }
}

/// Thrown by a handler that drains and would wait for what can no longer come: the request goes back unanswered.
///
/// The broker hands it to another worker as soon as this one has left, or to the next one that comes. From a worker that
/// stays it would only keep its caller waiting.
public struct RequestReturned: Error, Sendable {
    public init() {}
}
