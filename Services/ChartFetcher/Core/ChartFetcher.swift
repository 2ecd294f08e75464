import BoxOffice
import Contracts
import Envelope
public import FetcherKit
public import MessageBus
public import ServiceKit
public import Upstream

/// Answers `chart.daily`: the chart of a day from KOBIS, through the cache.
public struct ChartFetcher: Sendable {
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
        guard request.envelope.header.kind == ChartRequest.kind else {
            throw Failure.unknownKind(request.envelope.header.kind, service: ServiceName.chartFetcher)
        }
        let asked = try JSONBytes.decode(ChartRequest.self, from: request.envelope.payload)
        let meter = UpstreamMeter()
        return await parts.parts.answer(
            key: asked.cacheKey, isRefresh: asked.isRefresh, trace: request.trace, meter: meter
        ) { deadline in
            try await fetch(asked.date, meter: meter, deadline: deadline)
        }
    }

    private func fetch(
        _ date: Day, meter: UpstreamMeter, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        let kobis = try KobisClient(
            baseURL: baseURL, key: key, transport: MeteredTransport(parts.transport, meter: meter))
        let chart = try await kobis.dailyChart(on: date, deadline: deadline)
        let now = parts.clock.now()
        guard !chart.entries.isEmpty else {
            throw policy.isProvisional(date, now: now) ? Failure.notPublished(date) : Failure.empty(date)
        }
        return FetchedPart(
            payload: try JSONBytes.encode(chart), freshFor: policy.chart(of: date, now: now),
            attributes: [ChartRequest.filmsAttribute: chart.entries.map(\.code).joined(separator: ",")])
    }
}

extension Failure {
    static func notPublished(_ date: Day) -> Failure {
        Failure(
            .notPublished,
            LocalizedText(
                ko: "\(date) 박스오피스는 아직 발표되지 않았습니다. 나중에 다시 시도하세요.",
                en: "The chart of \(date) is not published yet. Try again later."),
            isRetryable: true)
    }

    static func empty(_ date: Day) -> Failure {
        Failure(
            .empty,
            LocalizedText(ko: "\(date)에는 박스오피스가 없습니다.", en: "There is no chart of \(date)."), isRetryable: false)
    }
}
