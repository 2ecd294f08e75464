/// Thrown by a handler that drains and would wait for what can no longer come: the request goes back unanswered.
///
/// The broker hands it to another worker as soon as this one has left, or to the next one that comes. From a worker that
/// stays it would only keep its caller waiting.
public struct RequestWithheld: Error, Sendable {
    public init() {}
}
