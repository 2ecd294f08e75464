import Domain
public import Upstream

/// Kakao's (Daum's) image search, typed.
///
/// The key is sent in the `Authorization` header. Quota: 30,000 calls a day. Kakao repeats a wrong key in its answer;
/// errors of this client mask it.
struct KakaoClient: Sendable {
    /// Base URL of the real Kakao.
    static let defaultBaseURL = "https://dapi.kakao.com/"

    /// Number of requested hits: Kakao's largest page. In a recorded page only 24 of 80 had the proportions of a
    /// poster.
    static let pageSize = 80

    /// The display name of this upstream.
    static let upstream = "Kakao"

    /// Calls per day of a key; the upstream does not report how many are left.
    static let dailyLimit = 30_000

    private let base: BaseURL
    private let caller: UpstreamCaller

    /// Checks a base URL before the first request.
    ///
    /// - Throws: `UpstreamError` with code `configuration`.
    static func check(baseURL: String) throws {
        _ = try BaseURL(baseURL, of: upstream)
    }

    /// - Throws: `UpstreamError` with code `configuration` when the base URL is no http(s) URL.
    init(
        baseURL: String = KakaoClient.defaultBaseURL, key: APIKey, transport: any UpstreamTransport,
        retry: UpstreamRetry = UpstreamRetry(), recorder: UpstreamRecorder? = nil
    ) throws {
        base = try BaseURL(baseURL, of: Self.upstream)
        caller = UpstreamCaller(key: key, transport: transport, retry: retry, recorder: recorder)
    }

    /// The images that match the words, best match first. An empty result is an answer, not an error.
    ///
    /// - Parameter query: Plain text; it is composed (NFC) before it is sent.
    /// - Throws: `UpstreamError`, or an unchanged `CancellationError`.
    func images(query: String, deadline: ContinuousClock.Instant) async throws -> [PosterCandidate] {
        let words = query.trimmed.nfc
        guard !words.isEmpty else {
            throw UpstreamError(.requestRefused, "\(Self.upstream) was not asked: there are no words to search for.")
        }
        let search = KakaoImageSearch(words: words, size: Self.pageSize)
        let request = UpstreamRequest(
            upstream: Self.upstream, base: base, path: search.path, query: search.query,
            headers: ["Authorization": "KakaoAK \(caller.key.value)"])
        return try await caller.ask(search, with: request, deadline: deadline)
    }
}

extension UpstreamVariables {
    public static let kakao = UpstreamVariables(
        key: "KAKAO_REST_API_KEY", baseURL: "KAKAO_BASE_URL", dailyLimit: "KAKAO_DAILY_LIMIT",
        defaultBaseURL: KakaoClient.defaultBaseURL, defaultDailyLimit: KakaoClient.dailyLimit)
}
