public import AsyncHTTPClient

extension HTTPClientTransport {
    /// How to configure the client that is lent to this transport.
    public static var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // A redirect would be a second call, and its target must not see the key.
        configuration.redirectConfiguration = .disallow
        // As many as a fetcher has upstream calls at once; by default the ninth would wait.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        // By default a refused connection is tried again and again until the deadline, and "refused" is never said.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
