public import Domain
public import Upstream

/// The Korean Film Council's open API (KOBIS): charts, film records and lists of codes, typed.
///
/// The key is sent in the query string, so a URL of this API is secret. Quota: 3,000 calls per key and day; every
/// attempt counts.
public struct KobisClient: Sendable {
    /// Base URL of the real KOBIS.
    public static let defaultBaseURL = "https://www.kobis.or.kr/kobisopenapi/webservice/rest/"

    /// The display name of this upstream.
    public static let upstream = "KOBIS"

    /// Calls per day of a key; the upstream does not report how many are left.
    public static let dailyLimit = 3_000

    private let base: BaseURL
    private let caller: UpstreamCaller

    /// Checks a base URL before the first request.
    ///
    /// - Throws: `UpstreamError` with code `configuration`.
    public static func check(baseURL: String) throws {
        _ = try BaseURL(baseURL, of: upstream)
    }

    /// - Throws: `UpstreamError` with code `configuration` when the base URL is no http(s) URL.
    public init(
        baseURL: String = KobisClient.defaultBaseURL, key: APIKey, transport: any UpstreamTransport,
        retry: UpstreamRetry = UpstreamRetry(), recorder: UpstreamRecorder? = nil
    ) throws {
        base = try BaseURL(baseURL, of: Self.upstream)
        caller = UpstreamCaller(key: key, transport: transport, retry: retry, recorder: recorder)
    }

    /// The ten films with the largest audience of a day, or of the days of a week.
    ///
    /// An empty chart is an answer, not an error: for today and later it means "not published yet", for a past day that
    /// there is no chart. The distinction depends on the current day in Seoul, so the caller makes it.
    ///
    /// - Throws: `UpstreamError`, or an unchanged `CancellationError`.
    public func chart(_ selection: ChartSelection, deadline: ContinuousClock.Instant) async throws -> Chart {
        try await ask(KobisChart(selection: selection), deadline: deadline)
    }

    /// The record of a film.
    ///
    /// - Parameter code: KOBIS's code of the film, eight characters, not always digits ("2023C632").
    /// - Throws: `UpstreamError`, `notFound` when KOBIS has no such film; or an unchanged `CancellationError`.
    public func film(code: String, deadline: ContinuousClock.Instant) async throws -> FilmDetail {
        let code = code.trimmed
        guard !code.isEmpty else {
            throw UpstreamError(.requestRefused, "\(Self.upstream) was not asked: the film's code is empty.")
        }
        return try await ask(KobisFilm(code: code), deadline: deadline)
    }

    /// A page of the matching films; an empty page is an answer, not an error.
    ///
    /// - Throws: `UpstreamError`, or an unchanged `CancellationError`.
    public func films(_ search: FilmSearch, deadline: ContinuousClock.Instant) async throws -> FilmPage {
        try await ask(KobisFilmSearch(search: search), deadline: deadline)
    }

    private func ask<Endpoint: KobisEndpoint>(
        _ endpoint: Endpoint, deadline: ContinuousClock.Instant
    ) async throws -> Endpoint.Answer {
        let request = UpstreamRequest(
            upstream: Self.upstream, base: base, path: endpoint.path,
            query: [("key", caller.key.value)] + endpoint.query)
        return try await caller.ask(endpoint, with: request, deadline: deadline)
    }
}

extension UpstreamVariables {
    public static let kobis = UpstreamVariables(
        key: "KOBIS_API_KEY", baseURL: "KOBIS_BASE_URL", dailyLimit: "KOBIS_DAILY_LIMIT",
        defaultBaseURL: KobisClient.defaultBaseURL, defaultDailyLimit: KobisClient.dailyLimit)
}
