internal import Contracts
public import ProcessKit
internal import Upstream

/// What a fetcher's environment says about how it works; `compose/boxoffice.conf` lists the same defaults.
public struct FetcherSettings: Sendable, Equatable {
    /// Requests at a time.
    public let capacity: Int
    /// Fetches at its upstream at a time.
    public let concurrency: Int
    /// Failed calls in a row after which a host is left alone; 0 for never.
    public let breakerFailures: Int

    /// - Parameter service: names its variable for the concurrency, as in `DETAIL_FETCHER_CONCURRENCY`.
    public init(service: String, _ environment: Environment) throws {
        let usual = ServiceDescription.named(service)
        capacity = try environment.number("BOXOFFICE_CAPACITY", default: usual?.capacity ?? 32, in: 1...1000)
        let name = service.uppercased().replacing("-", with: "_")
        concurrency = try environment.number("\(name)_CONCURRENCY", default: usual?.concurrency ?? 16, in: 1...1000)
        breakerFailures = try environment.number(
            "BOXOFFICE_BREAKER_FAILURES", default: CircuitBreaker.Settings().failures, in: 0...1_000_000)
    }
}
