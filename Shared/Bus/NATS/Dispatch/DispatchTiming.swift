/// The times and bounds of dispatching without a broker of ours; a simulation scales them.
public struct DispatchTiming: Sendable {
    /// How long a request waits for a first instance of its service.
    public var noInstanceGrace: Duration = .milliseconds(1500)
    /// The pause before a request without an instance is sent again.
    public var repetition: Duration = .milliseconds(50)
    /// The silence after a request, or after the last sign of its instance, that makes the instance suspect.
    public var silence: Duration = .milliseconds(1500)
    /// How long the instances of a service may take to answer which of them there are.
    public var inquiry: Duration = .milliseconds(300)
    /// How long a suspect gets no requests.
    public var avoidance: Duration = .seconds(5)
    /// How long a request waits while there is no connection to a server.
    public var serverGrace: Duration = .seconds(2)
    /// The most times that a request is sent to an instance.
    public var maxAttempts: UInt8 = 3

    public init() {}
}

/// The times and bounds of an instance.
public struct AdmissionTiming: Sendable {
    /// How long a request may take without a sign of work.
    public var firstSign: Duration = .milliseconds(100)
    /// The interval between two signs of work; well below `DispatchTiming.silence`.
    public var signInterval: Duration = .milliseconds(500)
    /// The most requests that wait for others to end.
    public var maxQueued = 128

    public init() {}
}

/// The times of events on their way into the stream.
public struct OutboxTiming: Sendable {
    /// Without a receipt for so long, events are sent again.
    public var silence: Duration = .milliseconds(700)
    /// The first pause before events are sent again that the servers could not store; later ones are longer.
    public var pause: Duration = .milliseconds(10)
    /// Servers that have lost an attempt in an election may take it for underway as long as they remember its id.
    public var underwayLimit: Duration = .seconds(5)
    /// An event is sent for so long; shorter than the servers remember its id.
    public var lifetime: Duration = .seconds(50)

    public init() {}
}
