public import BoxOffice
public import Contracts
import Envelope
public import FetcherKit
import MessageBus
public import ServiceKit
public import Upstream

/// Answers `movie.detail`: what KOBIS knows about a film; and `movie.search` by its `FilmSearches`.
public struct DetailFetcher: Fetcher {
    public static let service = ServiceName.detailFetcher

    public let account: UpstreamAccount
    public let retry: UpstreamRetry

    private let key: APIKey
    private let baseURL: String
    private let recorder: UpstreamRecorder?
    private let policy = FreshnessPolicy()

    /// - Throws: `UpstreamError` when the base URL is no http(s) URL.
    public init(
        key: APIKey, baseURL: String, dailyLimit: CallLimit = CallLimit(clamping: KobisClient.dailyLimit),
        retry: UpstreamRetry = UpstreamRetry(), recorder: UpstreamRecorder? = nil
    ) throws {
        try KobisClient.check(baseURL: baseURL)
        self.key = key
        self.retry = retry
        account = UpstreamAccount(upstream: KobisClient.upstream, key: key, dailyLimit: dailyLimit)
        self.baseURL = baseURL
        self.recorder = recorder
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
        try KobisClient(baseURL: baseURL, key: key, transport: transport, retry: retry, recorder: recorder)
    }
}
