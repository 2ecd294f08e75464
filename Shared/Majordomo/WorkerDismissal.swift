/// Why the broker dismisses a worker permanently: the extra frame of its DISCONNECT (our extension of 0.2).
///
/// A dismissed worker does not reconnect: it would be dismissed again, or expel the other worker.
public enum WorkerDismissal: String, Error, Sendable {
    /// The service allows one worker and has one.
    case exclusive
    /// Another process has registered under the same name.
    case doubled

    var frame: Frame { Frame(text: rawValue) }
}
