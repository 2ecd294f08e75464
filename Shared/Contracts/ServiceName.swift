/// The services of the stack, by the names that the broker and people know them by.
public enum ServiceName {
    public static let chartFetcher = "chart-fetcher"
    public static let detailFetcher = "detail-fetcher"
    public static let posterResolver = "poster-resolver"
    public static let cacheStore = "cache-store"

    /// All that answer requests.
    public static let all = [chartFetcher, detailFetcher, posterResolver, cacheStore]
}
