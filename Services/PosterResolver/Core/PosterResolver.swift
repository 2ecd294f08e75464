public import Contracts
import Domain
import Envelope
public import FetcherKit
import Localization
import MessageBus
public import ServiceKit
public import Upstream

/// Answers `poster.find`: the most poster-like image of a film, from Kakao image search; and `poster.image` with its
/// `PosterImages`.
public struct PosterResolver: Fetcher {
    public let account: UpstreamAccount
    public var retry: UpstreamRetry { access.retry }

    private let access: UpstreamAccess
    private let images: PosterImages
    private let policy = FreshnessPolicy()

    /// - Throws: `UpstreamError` when the base URL is no http(s) URL.
    public init(_ access: UpstreamAccess) throws {
        try KakaoClient.check(baseURL: access.baseURL)
        self.access = access
        account = UpstreamAccount(upstream: KakaoClient.upstream, key: access.key, dailyLimit: access.dailyLimit)
        images = PosterImages(over: PosterImages.transport(besides: access.baseURL), retry: access.retry)
    }

    public func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        let posters = partHandler(parts: parts, gate: gate)
        let images = images.handler(parts: parts, gate: gate)
        return { incoming in
            let isImage = incoming.envelope.header.kind == PosterImageRequest.kind
            return try await isImage ? images(incoming) : posters(incoming)
        }
    }

    public func fetch(
        _ request: PosterRequest, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        let kakao = try KakaoClient(
            baseURL: access.baseURL, key: access.key, transport: transport, retry: retry, recorder: access.recorder)
        let query = Poster.query(title: request.title)
        let hits = try await kakao.images(query: query, deadline: deadline)
        // A search without hits is an immediate answer to the client that waits for the poster.
        let film = PosterQuery(title: request.title, year: request.year)
        guard let choice = PosterChoice(among: hits, for: film) else { throw Failure.noPoster(of: request.title) }
        return FetchedPart(value: try JSONBytes.encode(choice.poster(query: query)), freshFor: policy.poster)
    }
}

extension Failure {
    static func noPoster(of title: String) -> Failure {
        Failure(
            .noHits,
            LocalizedText(
                ko: "'\(title)'의 포스터를 찾지 못했습니다.", en: "The image search has no poster of \"\(title)\"."),
            isRetryable: false)
    }
}
