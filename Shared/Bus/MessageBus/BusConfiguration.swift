public import Envelope

/// What carries the messages of this process, and its identity on the bus.
public struct BusConfiguration: Sendable {
    public enum Transport: Sendable {
        case majordomo(MajordomoConfiguration)
        case nats(NATSConfiguration)
    }

    public var transport: Transport
    /// The name of this process on the bus, for example "gateway/4711".
    public var instance: String
    /// Called when the bus begins to refuse this process, or a worker cannot be registered, with the reason.
    public var onProblem: @Sendable (Failure) -> Void = { _ in }
    /// How long unsent events and replies are kept after the scope of the bus ends.
    public var linger = BusTiming.linger

    public init(_ transport: Transport, instance: String) {
        self.transport = transport
        self.instance = instance
    }
}
