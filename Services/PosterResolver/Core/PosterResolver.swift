import BoxOffice
import Contracts
import Envelope
public import FetcherKit
public import MessageBus
public import ServiceKit
public import Upstream

/// Answers `poster.find`: the image that looks most like a film's poster, from Kakao image search, through the cache.
public struct PosterResolver: Sendable {
    private let parts: FetcherParts
    private let key: APIKey
    private let baseURL: String
    private let policy = FreshnessPolicy()

    /// - Throws: `UpstreamError` when the base URL is no http(s) URL.
    public init(parts: FetcherParts, key: APIKey, baseURL: String) throws {
        self.parts = parts
        self.key = key
        self.baseURL = baseURL
        _ = try KakaoClient(baseURL: baseURL, key: key, transport: parts.transport)
    }

    public func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        guard request.envelope.header.kind == PosterRequest.kind else {
            throw Failure.unknownKind(request.envelope.header.kind, service: ServiceName.posterResolver)
        }
        let asked = try JSONBytes.decode(PosterRequest.self, from: request.envelope.payload)
        let meter = UpstreamMeter()
        return await parts.parts.answer(
            key: asked.cacheKey, isRefresh: asked.isRefresh, trace: request.trace, meter: meter
        ) { deadline in
            let kakao = try KakaoClient(
                baseURL: baseURL, key: key, transport: MeteredTransport(parts.transport, meter: meter))
            let query = Poster.query(title: asked.title)
            let hits = try await kakao.images(query: query, deadline: deadline)
            // A search without hits is an answer (T1): whoever waits for the poster is told so at once.
            guard let choice = PosterChoice(among: hits) else { throw Failure.noPoster(of: asked.title) }
            return FetchedPart(
                payload: try JSONBytes.encode(Poster(choice, query: query)), freshFor: policy.poster)
        }
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
