internal import BoxOffice

/// One GET request to an upstream, ready to be sent; its descriptions show no secret.
public struct UpstreamRequest: Sendable, Equatable {
    /// The upstream's name for people: "KOBIS", "Kakao".
    public let upstream: String
    /// What is asked, below the base URL: "movie/searchMovieInfo.json". Fit for logs.
    public let path: String
    /// The full URL. SECRET: KOBIS wants the key in its query.
    public let url: String
    /// By name. SECRET: Kakao wants the key in `Authorization`.
    public let headers: [String: String]

    public init(upstream: String, path: String, url: String, headers: [String: String]) {
        self.upstream = upstream
        self.path = path
        self.url = url
        self.headers = headers
    }

    init(
        upstream: String, base: BaseURL, path: String, query: [(name: String, value: String)],
        headers: [String: String] = [:]
    ) {
        let parameters = query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        self.init(
            upstream: upstream, path: path, url: "\(base.text)\(path)?\(parameters)",
            headers: headers.merging(["Accept": "application/json"]) { own, _ in own })
    }
}

extension UpstreamRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "GET \(upstream) \(path)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["upstream": upstream, "path": path]) }
}
