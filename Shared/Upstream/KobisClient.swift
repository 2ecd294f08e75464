public import BoxOffice

/// The Korean Film Council's open API (KOBIS): charts, film records and lists of codes, typed.
///
/// The key travels in the query string, so a URL of this API is a secret. Quota: 3,000 calls per key and day, and every
/// attempt counts.
public struct KobisClient: Sendable {
    /// Where the real KOBIS answers.
    public static let defaultBaseURL = "https://www.kobis.or.kr/kobisopenapi/webservice/rest/"

    /// The name of this upstream for people.
    public static let upstream = "KOBIS"

    /// Calls that a key has a day; the upstream does not say how many are left.
    public static let dailyLimit = 3_000

    private let base: BaseURL
    private let caller: UpstreamCaller

    /// Says at once, and not with the first request, that a base URL is no http(s) URL.
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

    /// The ten best attended films of a day, or of the days of a week.
    ///
    /// An EMPTY chart is an answer and no error: for today and later it means "not published yet", for a day long past
    /// that there is none. Which of them it is depends on the day in Seoul, so the caller decides.
    ///
    /// - Throws: `UpstreamError`, or `CancellationError` untouched.
    public func chart(_ selection: ChartSelection, deadline: ContinuousClock.Instant) async throws -> Chart {
        try await ask(KobisChart(selection: selection), deadline: deadline)
    }

    /// The record of a film.
    ///
    /// - Parameter code: KOBIS's code of the film, eight characters, not always digits ("2023C632").
    /// - Throws: `UpstreamError`, `notFound` when KOBIS knows no such film; or `CancellationError` untouched.
    public func film(code: String, deadline: ContinuousClock.Instant) async throws -> FilmDetail {
        let code = code.trimmed
        guard !code.isEmpty else {
            throw UpstreamError(.requestRefused, "\(Self.upstream) was not asked: the film's code is empty.")
        }
        return try await ask(KobisFilm(code: code), deadline: deadline)
    }

    /// A page of the films that match; an empty one is an answer and no error.
    ///
    /// - Throws: `UpstreamError`, or `CancellationError` untouched.
    public func films(_ search: FilmSearch, deadline: ContinuousClock.Instant) async throws -> FilmPage {
        try await ask(KobisFilmSearch(search: search), deadline: deadline)
    }

    /// The codes that stand under a code, with their names.
    ///
    /// - Parameter parent: `regionCodes`, or another code of KOBIS's documentation.
    /// - Throws: `UpstreamError`, or `CancellationError` untouched.
    public func codes(under parent: String, deadline: ContinuousClock.Instant) async throws -> [CodeListEntry] {
        try await ask(KobisCodeList(parent: parent), deadline: deadline)
    }

    /// The code under which KOBIS lists the regions of `Region`.
    public static let regionCodes = "0105000000"

    private func ask<Endpoint: KobisEndpoint>(
        _ endpoint: Endpoint, deadline: ContinuousClock.Instant
    ) async throws -> Endpoint.Answer {
        let request = UpstreamRequest(
            upstream: Self.upstream, base: base, path: endpoint.path,
            query: [("key", caller.key.value)] + endpoint.query)
        return try await caller.ask(endpoint, with: request, deadline: deadline)
    }
}
