/// The times and bounds of dispatching without a broker; a simulation scales them.
package struct DispatchTiming: Sendable {
    /// How long a request waits for a first instance of its service.
    package var noInstanceGrace: Duration = .milliseconds(1500)
    /// The pause before a request without an instance is sent again.
    var repetition: Duration = .milliseconds(50)
    /// The silence after a request, or after the last sign of its instance, that makes the instance suspect.
    var silence: Duration = .milliseconds(1500)
    /// How long the instances of a service may take to answer which of them there are.
    var inquiry: Duration = .milliseconds(300)
    /// How long a suspect gets no requests.
    var avoidance: Duration = .seconds(5)
    /// How long a request waits while there is no connection to a server.
    package var serverGrace: Duration = .seconds(2)
    /// The most times that a request is sent to an instance.
    var maxAttempts: UInt8 = 3
}

/// The times and bounds of an instance.
struct AdmissionTiming: Sendable {
    /// How long a request may take without a sign of work.
    var firstSign: Duration = .milliseconds(100)
    /// The interval between two signs of work; well below `DispatchTiming.silence`.
    var signInterval: Duration = .milliseconds(500)
    /// The most requests that wait for others to end.
    var maxQueued = 128
}

/// The times of events on their way into the stream.
struct OutboxTiming: Sendable {
    /// Without a receipt for so long, events are sent again.
    var silence: Duration = .milliseconds(700)
    /// The first pause before events are sent again that the servers could not store; later ones are longer.
    var pause: Duration = .milliseconds(10)
    /// Servers that have lost an attempt in an election may take it for underway as long as they remember its id.
    var underwayLimit: Duration = .seconds(5)
    /// An event is sent for so long; shorter than the servers remember its id.
    var lifetime: Duration = .seconds(50)
}
