public import BoxOffice

/// Kakao's (Daum's) image search, typed.
///
/// The key travels in the `Authorization` header. Quota: 30,000 calls a day; Kakao echoes a wrong key in its answer, and
/// errors from here hide it.
public struct KakaoClient: Sendable {
    /// Where the real Kakao answers.
    public static let defaultBaseURL = "https://dapi.kakao.com/"

    /// How many hits are asked for: Kakao's largest page. Of a recorded one only 24 in 80 had a poster's proportions.
    static let pageSize = 80

    /// The name of this upstream for people.
    public static let upstream = "Kakao"

    /// Calls that a key has a day; the upstream does not say how many are left.
    public static let dailyLimit = 30_000

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
        baseURL: String = KakaoClient.defaultBaseURL, key: APIKey, transport: any UpstreamTransport,
        retry: UpstreamRetry = UpstreamRetry(), recorder: UpstreamRecorder? = nil
    ) throws {
        base = try BaseURL(baseURL, of: Self.upstream)
        caller = UpstreamCaller(key: key, transport: transport, retry: retry, recorder: recorder)
    }

    /// The images that match the words, best match first. None at all is an answer and no error.
    ///
    /// - Parameter query: Plain text; it is composed (NFC) before it is sent.
    /// - Throws: `UpstreamError`, or `CancellationError` untouched.
    public func images(query: String, deadline: ContinuousClock.Instant) async throws -> [PosterCandidate] {
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
