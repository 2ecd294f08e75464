import Contracts
import Envelope
public import FetcherKit
public import MessageBus
public import ServiceKit
public import Upstream

/// Answers `movie.detail`: what KOBIS knows about a film, through the cache.
public struct DetailFetcher: Sendable {
    private let parts: FetcherParts
    private let key: APIKey
    private let baseURL: String
    private let policy = FreshnessPolicy()

    /// - Throws: `UpstreamError` when the base URL is no http(s) URL.
    public init(parts: FetcherParts, key: APIKey, baseURL: String) throws {
        self.parts = parts
        self.key = key
        self.baseURL = baseURL
        _ = try KobisClient(baseURL: baseURL, key: key, transport: parts.transport)
    }

    public func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        guard request.envelope.header.kind == DetailRequest.kind else {
            throw Failure.unknownKind(request.envelope.header.kind, service: ServiceName.detailFetcher)
        }
        let asked = try JSONBytes.decode(DetailRequest.self, from: request.envelope.payload)
        let meter = UpstreamMeter()
        return await parts.parts.answer(
            key: asked.cacheKey, isRefresh: asked.isRefresh, trace: request.trace, meter: meter
        ) { deadline in
            let kobis = try KobisClient(
                baseURL: baseURL, key: key, transport: MeteredTransport(parts.transport, meter: meter))
            let film = try await kobis.film(code: asked.code, deadline: deadline)
            return FetchedPart(payload: try JSONBytes.encode(film), freshFor: policy.detail)
        }
    }
}
