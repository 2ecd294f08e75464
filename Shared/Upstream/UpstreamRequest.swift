internal import BoxOffice

/// One complete GET request to an upstream; its descriptions contain no secrets.
public struct UpstreamRequest: Sendable, Equatable {
    /// Display name of the upstream: "KOBIS", "Kakao".
    public let upstream: String
    /// The path below the base URL: "movie/searchMovieInfo.json". Safe for logs.
    public let path: String
    /// The full URL. SECRET: KOBIS requires the key in its query.
    public let url: String
    /// By name. SECRET: Kakao requires the key in `Authorization`.
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
