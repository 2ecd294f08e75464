/// The durations of the web server.
enum WebTiming {
    /// The limit of an answer with all its parts.
    static let answerLimit: Duration = .seconds(5)
    /// How long a page waits for details and posters after its chart has arrived.
    static let partLimit: Duration = .milliseconds(1500)
    /// A comment in a quiet stream of events, so that the connection is not taken for dead.
    static let heartbeat: Duration = .seconds(15)
    /// How long events are kept for a listener that may connect again.
    static let returnLimit: Duration = .seconds(60)
    /// How late a comment or a watch may be.
    static let check: Duration = .seconds(1)
    /// How long a client may take none of the bytes that are sent to it.
    static let stallLimit: Duration = .seconds(20)
    /// How long a listener may take to read the end of its stream when the server shuts down.
    static let lastPieceLimit: Duration = .seconds(2)
    /// The pause before the next attempt to subscribe to the events of the stack.
    static let subscriptionPause: Duration = .seconds(1)
    /// How long one wait for an event of the stack takes at most.
    static let eventWait: Duration = .seconds(60)
    /// How long a page about a range is kept: details that arrive later may tell more countries.
    static let rangeSeconds = 600
    /// What a client is asked to wait after a failure that may pass.
    static let retryAfterSeconds = 30
}
