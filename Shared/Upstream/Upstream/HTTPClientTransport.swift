public import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// A transport over async-http-client.
///
/// The owner of the client creates it (see `clientConfiguration`) and shuts it down.
public struct HTTPClientTransport: UpstreamTransport {
    private let client: HTTPClient
    private let bodyLimit: Int

    /// - Parameter bodyLimit: In bytes. The largest recorded answer has 165 KB.
    public init(client: HTTPClient, bodyLimit: Int = 2 * 1024 * 1024) {
        self.client = client
        self.bodyLimit = bodyLimit
    }

    public func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        try await request.withDeadline(deadline) { try await exchange(request, within: $0) }
    }

    private func exchange(_ request: UpstreamRequest, within granted: Duration) async throws -> UpstreamResponse {
        do {
            let response = try await client.execute(
                HTTPClientRequest(request), deadline: .now() + TimeAmount(granted))
            // Only a client that was not made with `clientConfiguration` follows redirects.
            guard response.history.count <= 1 else {
                throw UpstreamError(
                    .transport, "\(request.upstream) redirected the request, and the answer is not trusted.",
                    isRetryable: false)
            }
            return UpstreamResponse(
                status: Int(response.status.code), contentType: response.headers.first(name: "Content-Type"),
                location: response.headers.first(name: "Location"),
                demoData: response.headers.first(name: UpstreamResponse.demoDataHeader),
                body: Array(buffer: try await response.body.collect(upTo: bodyLimit)))
        } catch {
            // Cancellation, by the caller or by the deadline task: the client reports it with several errors.
            try Task.checkCancellation()
            throw UpstreamError.failure(error, of: request, within: granted, bodyLimit: bodyLimit)
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: UpstreamRequest) {
        self.init(url: request.url)
        for (name, value) in request.headers {
            headers.add(name: name, value: value)
        }
    }
}

extension HTTPClientTransport {
    /// The configuration of a client for this transport.
    ///
    /// - Parameter connections: connections per host.
    public static func clientConfiguration(connections: Int = 16) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // A redirect would be a second call, and would send the key to its target.
        configuration.redirectConfiguration = .disallow
        // By default the ninth call would wait.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // By default a refused connection is retried until the deadline, and the refusal is not reported.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
