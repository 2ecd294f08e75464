public import Majordomo
public import MessageBus
internal import ZeroMQ

/// How the broker is reached, and the version of Majordomo that is used with it.
public struct MajordomoConfiguration: TransportConfiguration {
    public enum ProtocolVersion: String, Sendable, CaseIterable {
        /// RFC 7, for a plain broker: a worker takes one request at a time, and requests are delayed, never refused.
        case v01 = "0.1"
        /// RFC 18, with our extensions where the broker supports them.
        case v02 = "0.2"

        var majordomo: MajordomoVersion { self == .v01 ? .v01 : .v02 }
    }

    public var endpoints: BrokerEndpoints
    /// For a broker on the network; without credentials, traffic to its tcp endpoints is clear text.
    public var credentials: BrokerCredentials?
    public var version = ProtocolVersion.v02
    public var timing = MajordomoTiming()

    public init(endpoints: BrokerEndpoints, credentials: BrokerCredentials? = nil) {
        self.endpoints = endpoints
        self.credentials = credentials
    }

    package func withTransport<Result: Sendable>(
        of bus: BusConfiguration, _ body: (any BusTransport) async throws -> Result
    ) async throws -> Result {
        try await withContext { context in try await body(MajordomoTransport(self, of: bus, context: context)) }
    }
}
