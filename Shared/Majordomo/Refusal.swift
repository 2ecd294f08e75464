/// Why the broker answers a request itself; the raw value is the code on the wire.
public enum Refusal: String, Sendable, CaseIterable {
    /// No worker of that service has been registered for longer than the grace.
    case unavailable
    /// The queue of the service or of this client is full, or longer than the request can wait.
    case overloaded
    /// The deadline passed before an answer came.
    case expired
    /// The worker died, and the request may not, or no longer, be handed to another; or its like has crashed workers.
    case workerLost = "worker_lost"
    /// The control frame cannot be read.
    case malformed
}
