/// The way to an upstream: one request, one complete answer, before a deadline.
///
/// Every answer is a response, whatever its status. A transport neither repeats nor follows anything by itself: each
/// call is one request on the wire, since each is paid from a quota.
public protocol UpstreamTransport: Sendable {
    /// - Throws: `UpstreamError` with code `transport`, `timeout`, `malformed` (body too large) or `configuration`, its
    ///   text without secrets; `CancellationError` when the task was cancelled. It returns or throws soon after the
    ///   deadline: nobody else watches it.
    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse
}
