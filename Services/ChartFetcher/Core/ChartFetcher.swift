public import Contracts
import Domain
import Envelope
public import FetcherKit
import Kobis
import Localization
public import ProcessKit
public import Upstream

/// Answers requests for daily and weekly charts, from KOBIS.
public struct ChartFetcher: Fetcher {
    public let account: UpstreamAccount
    public var retry: UpstreamRetry { access.retry }

    private let access: UpstreamAccess
    private let clock: WallClock
    private let policy = FreshnessPolicy()

    /// - Throws: `UpstreamError` when the base URL is no http(s) URL.
    public init(_ access: UpstreamAccess, clock: WallClock = .system) throws {
        try KobisClient.check(baseURL: access.baseURL)
        self.access = access
        account = UpstreamAccount(upstream: KobisClient.upstream, key: access.key, dailyLimit: access.dailyLimit)
        self.clock = clock
    }

    public func fetch(
        _ request: ChartRequest, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        let kobis = try KobisClient(
            baseURL: access.baseURL, key: access.key, transport: transport, retry: retry, recorder: access.recorder)
        // Read before the request: the answer contains at least the figures up to this time.
        let now = clock.now()
        let chart = try await kobis.chart(request.selection, deadline: deadline)
        let isProvisional = policy.isProvisional(request.selection, now: now)
        guard !chart.entries.isEmpty else {
            // Before publication, every filtered chart is empty, like the whole chart.
            if isProvisional { throw Failure.notPublished(request.selection) }
            // After publication a filtered chart may be empty: few films, few cinemas.
            throw request.selection.filter == .everything
                ? Failure.empty(request.selection) : Failure.noFilms(request.selection)
        }
        return FetchedPart(
            value: try JSONBytes.encode(chart), freshFor: policy.chart(of: request.selection, now: now),
            attributes: [ChartRequest.filmsAttribute: chart.entries.map(\.code).joined(separator: ",")],
            revision: { stored in
                let old = try JSONBytes.decode(Chart.self, from: stored)
                return Revision(of: chart, since: old, isProvisional: isProvisional)
            })
    }
}

extension Failure {
    static func notPublished(_ selection: ChartSelection) -> Failure {
        Failure(
            .notPublished,
            LocalizedText(
                ko: "\(selection) 박스오피스는 아직 발표되지 않았습니다. 나중에 다시 시도하세요.",
                en: "The chart of \(selection) is not published yet. Try again later."),
            isRetryable: true)
    }

    static func noFilms(_ selection: ChartSelection) -> Failure {
        Failure(
            .empty,
            LocalizedText(
                ko: "\(selection)에 해당하는 영화가 없습니다.", en: "No film fits this part of the chart: \(selection)."),
            isRetryable: false)
    }

    static func empty(_ selection: ChartSelection) -> Failure {
        Failure(
            .empty,
            LocalizedText(
                ko: "\(selection)에는 박스오피스가 없습니다.", en: "There is no chart of \(selection)."),
            isRetryable: false)
    }
}

extension Revision {
    /// `EventKind.chartRevised`: the films with changed figures, and the differences. Films are identified by code.
    init?(of chart: Chart, since stored: Chart, isProvisional: Bool) {
        guard let revision = ChartRevision(from: stored, to: chart) else { return nil }
        func list(_ figure: (ChartRevision.Change) -> Int64) -> AttributeValue {
            let changes = revision.changes.filter { figure($0) != 0 }
            return .text(changes.map { "\($0.code):\(figure($0) > 0 ? "+" : "")\(figure($0))" }.joined(separator: ","))
        }
        self.init(
            kind: EventKind.chartRevised,
            attributes: [
                "chart": .text("\(chart.selection.kind.rawValue) \(chart.selection)"),
                "state": .text(isProvisional ? "provisional" : "settled"), "films": .number(revision.changes.count),
                "audience": list { Int64($0.audience) }, "sales": list(\.sales), "ranks": list { Int64($0.ranks) },
                "entered": .text(revision.entered.joined(separator: ",")),
                "left": .text(revision.left.joined(separator: ",")),
            ])
    }
}
