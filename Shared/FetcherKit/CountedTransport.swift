internal import Upstream

/// A transport each of whose requests is counted before it is sent.
struct CountedTransport: UpstreamTransport {
    let base: any UpstreamTransport
    /// Until when a count is waited for: a disk that stands still for a second is no reason to give up.
    let patience: ContinuousClock.Instant
    /// Takes one call from the day's; throws when there is none.
    let take: @Sendable (ContinuousClock.Instant) async throws -> Void

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        let start = ContinuousClock.now
        // The time that the count takes is not the upstream's, whose breaker it would open.
        try await take(max(patience, min(deadline, start + FetcherTiming.countLimit)))
        return try await base.send(request, deadline: deadline + (.now - start))
    }
}
