/// Why the broker refuses a request; the raw value is the code on the wire.
public enum Refusal: String, Sendable, CaseIterable {
    /// The service has had no worker for longer than the grace period.
    case unavailable
    /// The queue of the service or of this client is full, or the expected wait exceeds the time left.
    case overloaded
    /// The deadline passed before an answer came.
    case expired
    /// The worker is lost and the request may not be redelivered, or equal requests have crashed workers.
    case workerLost = "worker_lost"
    /// The control frame cannot be read.
    case malformed
}

/// Why the broker dismisses a worker permanently: the extra frame of its DISCONNECT (our extension of 0.2).
///
/// A dismissed worker does not reconnect: it would be dismissed again, or expel the other worker.
public enum WorkerDismissal: String, Error, Sendable {
    /// The service allows one worker and has one.
    case exclusive
    /// Another process has registered under the same name.
    case doubled
    /// The key of this process is not that of a worker of the service.
    case forbidden

    package var frame: Frame { Frame(text: rawValue) }
}
