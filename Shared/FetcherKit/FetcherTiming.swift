internal import Upstream

/// The durations of a fetcher beside its upstream's (see `UpstreamRetry`).
public enum FetcherTiming {
    /// How often the lease of a fetch is renewed, and the limit of one renewal.
    static let renewal: Duration = .milliseconds(500)
    /// The limit of a request to cache-store that no answer waits for: put, release, a used-up quota.
    static let cacheRequest: Duration = .seconds(1)
    /// What a whole fetch may take: the upstream's budget, and one request to cache-store.
    static func fetchBudget(_ retry: UpstreamRetry) -> Duration { retry.budget + cacheRequest }
    /// What one count of a call may take in any case.
    static let countLimit: Duration = .seconds(1)
    /// The end of an image's budget, kept for the search's own crops.
    public static let thumbnails: Duration = .seconds(1)
    /// An image is not asked for with less time than this.
    public static let shortestImageAttempt: Duration = .milliseconds(200)
}
