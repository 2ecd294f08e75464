/// Why the broker sends a worker away for good: the extra frame of its DISCONNECT (our extension of 0.2).
///
/// A worker that came back would only cause the same again, or expel the other in its turn.
public enum WorkerDismissal: String, Error, Sendable {
    /// The service takes one worker and has it.
    case exclusive
    /// Another process has registered under the same name.
    case doubled

    var frame: Frame { Frame(text: rawValue) }
}
