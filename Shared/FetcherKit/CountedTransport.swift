internal import Upstream

/// A transport that counts each request before it sends it.
struct CountedTransport: UpstreamTransport {
    let base: any UpstreamTransport
    /// The count may take until this moment at least: a disk that is blocked for a second must not fail the call.
    let latestStart: ContinuousClock.Instant
    /// Takes one call from the daily quota; throws when none is left.
    let take: @Sendable (ContinuousClock.Instant) async throws -> Void

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        let start = ContinuousClock.now
        // The count does not reduce the time of the upstream: a slow count must not open its breaker.
        try await take(max(latestStart, min(deadline, start + FetcherTiming.countLimit)))
        return try await base.send(request, deadline: deadline + (.now - start))
    }
}
