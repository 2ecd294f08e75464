internal import Domain

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

    package init(
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

extension UpstreamRequest {
    /// Runs an exchange that ends at the deadline in any case: the deadline of an HTTP client covers only the head of
    /// an answer, and a body may be endless.
    ///
    /// - Parameter exchange: receives the time that is left; it must end soon after it is cancelled.
    package func withDeadline(
        _ deadline: ContinuousClock.Instant,
        _ exchange: @escaping @Sendable (_ granted: Duration) async throws -> UpstreamResponse
    ) async throws -> UpstreamResponse {
        let granted = ContinuousClock.now.duration(to: deadline)
        guard granted > .zero else { throw UpstreamError.timeout(self, after: .zero) }
        return try await withThrowingTaskGroup(of: UpstreamResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(granted) }
            group.addTask {
                try await Task.sleep(until: deadline, clock: .continuous)
                throw UpstreamError.timeout(self, after: granted)
            }
            for try await response in group {
                return response
            }
            throw CancellationError()
        }
    }
}
