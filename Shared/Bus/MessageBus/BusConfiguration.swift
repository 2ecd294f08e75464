public import Envelope

/// What carries the messages of this process, and its identity on the bus.
public struct BusConfiguration: Sendable {
    package var transport: any TransportConfiguration
    /// The name of this process on the bus, for example "gateway/4711".
    public var instance: String
    /// Called when the bus begins to refuse this process, or a worker cannot be registered, with the reason.
    public var onProblem: @Sendable (Failure) -> Void = { _ in }
    /// How long unsent events and replies are kept after the scope of the bus ends.
    public var linger: Duration = .milliseconds(250)

    package init(_ transport: any TransportConfiguration, instance: String) {
        self.transport = transport
        self.instance = instance
    }
}

/// How a transport is reached.
package protocol TransportConfiguration: Sendable {
    /// Runs `body` with the transport, and closes the transport when `body` ends.
    func withTransport<Result: Sendable>(
        of bus: BusConfiguration, _ body: (any BusTransport) async throws -> Result
    ) async throws -> Result
}
