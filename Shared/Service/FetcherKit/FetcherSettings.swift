internal import Contracts
public import ProcessKit
internal import Upstream

/// Settings of a fetcher, read from its environment; `compose/boxoffice.conf` lists the same defaults.
public struct FetcherSettings: Sendable, Equatable {
    /// Maximum concurrent requests.
    public let capacity: Int
    /// Maximum concurrent fetches at its upstream.
    public let concurrency: Int
    /// Consecutive failed calls after which a host is not called for a while; 0 for never.
    public let breakerFailures: Int

    /// - Parameter service: determines the name of the concurrency variable, as in `DETAIL_FETCHER_CONCURRENCY`.
    public init(service: String, _ environment: Environment) throws {
        let usual = ServiceDescription.named(service)
        capacity = try environment.number("BOXOFFICE_CAPACITY", default: usual?.capacity ?? 32, in: 1...1000)
        let name = service.uppercased().replacing("-", with: "_")
        concurrency = try environment.number("\(name)_CONCURRENCY", default: usual?.concurrency ?? 16, in: 1...1000)
        breakerFailures = try environment.number(
            "BOXOFFICE_BREAKER_FAILURES", default: CircuitBreaker.Settings().failures, in: 0...1_000_000)
    }
}
