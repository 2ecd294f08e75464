internal import Upstream

/// A transport each of whose requests is counted before it is sent.
struct CountedTransport: UpstreamTransport {
    let base: any UpstreamTransport
    /// Takes one call from the day's; throws when there is none.
    let take: @Sendable (ContinuousClock.Instant) async throws -> Void

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        try await take(deadline)
        return try await base.send(request, deadline: deadline)
    }
}
