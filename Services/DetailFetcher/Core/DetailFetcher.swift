public import Contracts
import Domain
import Envelope
public import FetcherKit
import Kobis
import MessageBus
public import ServiceKit
public import Upstream

/// Answers `movie.detail`: the KOBIS record of a film; and `movie.search` with its `FilmSearches`.
public struct DetailFetcher: Fetcher {
    public let account: UpstreamAccount
    public var retry: UpstreamRetry { access.retry }

    private let access: UpstreamAccess
    private let policy = FreshnessPolicy()

    /// - Throws: `UpstreamError` when the base URL is no http(s) URL.
    public init(_ access: UpstreamAccess) throws {
        try KobisClient.check(baseURL: access.baseURL)
        self.access = access
        account = UpstreamAccount(upstream: KobisClient.upstream, key: access.key, dailyLimit: access.dailyLimit)
    }

    public func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        let films = partHandler(parts: parts, gate: gate)
        let searches = FilmSearches(self).partHandler(parts: parts, gate: gate)
        return { incoming in
            let isSearch = incoming.envelope.header.kind == FilmSearchRequest.kind
            return try await isSearch ? searches(incoming) : films(incoming)
        }
    }

    public func fetch(
        _ request: DetailRequest, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        let film = try await kobis(over: transport).film(code: request.code, deadline: deadline)
        return FetchedPart(value: try JSONBytes.encode(film), freshFor: policy.detail)
    }

    func kobis(over transport: any UpstreamTransport) throws -> KobisClient {
        try KobisClient(
            baseURL: access.baseURL, key: access.key, transport: transport, retry: retry, recorder: access.recorder)
    }
}

/// Answers `movie.search`: a page of the KOBIS catalogue.
struct FilmSearches: PartSource {
    let films: DetailFetcher
    private let policy = FreshnessPolicy()

    init(_ films: DetailFetcher) {
        self.films = films
    }

    func fetch(
        _ request: FilmSearchRequest, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        let page = try await films.kobis(over: transport).films(request.search, deadline: deadline)
        return FetchedPart(
            value: try JSONBytes.encode(page), freshFor: page.total == 0 ? policy.emptyResult : policy.search)
    }
}
