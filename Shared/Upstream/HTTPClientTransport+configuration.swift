public import AsyncHTTPClient

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
