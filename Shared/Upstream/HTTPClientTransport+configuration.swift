public import AsyncHTTPClient

extension HTTPClientTransport {
    /// How to configure the client that is lent to this transport.
    ///
    /// - Parameter connections: to each host.
    public static func clientConfiguration(connections: Int = 16) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        // A redirect would be a second call, and its target must not see the key.
        configuration.redirectConfiguration = .disallow
        // By default the ninth call would wait.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // By default a refused connection is tried again and again until the deadline, and "refused" is never said.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
