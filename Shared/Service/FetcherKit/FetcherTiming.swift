internal import Upstream

/// Durations of a fetcher; those of its upstream are in `UpstreamRetry`.
public enum FetcherTiming {
    /// Interval between renewals of a lease, and the time limit of one renewal.
    static let renewal: Duration = .milliseconds(500)
    /// Time limit of a request to cache-store that does not delay an answer: put, release, report of a used-up quota.
    static let cacheRequest: Duration = .seconds(1)
    /// Time limit of a whole fetch: the budget of the upstream and one request to cache-store.
    static func fetchBudget(_ retry: UpstreamRetry) -> Duration { retry.budget + cacheRequest }
    /// The least time limit of one count of a call.
    static let countLimit: Duration = .seconds(1)
    /// The last part of the time budget of an image, reserved for the thumbnails of the search.
    public static let thumbnails: Duration = .seconds(1)
    /// An image is not requested when less time than this is left.
    public static let shortestImageAttempt: Duration = .milliseconds(200)
}
