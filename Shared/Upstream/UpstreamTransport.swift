/// Sends one request and returns one complete answer, before a deadline.
///
/// Every answer is a response, with any status. A transport does not retry or follow redirects: each call is exactly
/// one request, since each request costs quota.
public protocol UpstreamTransport: Sendable {
    /// - Throws: `UpstreamError` with code `transport`, `timeout`, `malformed` (body too large) or `configuration`, its
    ///   text without secrets; `CancellationError` when the task was cancelled. It returns or throws soon after the
    ///   deadline: callers have no timeout of their own.
    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse
}
