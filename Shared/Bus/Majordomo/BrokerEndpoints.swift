/// The three endpoints of a broker.
public struct BrokerEndpoints: Sendable, Hashable {
    /// Requests and replies.
    public let requests: String
    /// The endpoint to which processes push their events.
    public let eventsIn: String
    /// The endpoint at which the broker publishes the stream of all events.
    public let events: String

    public init(requests: String, eventsIn: String, events: String) {
        self.requests = requests
        self.eventsIn = eventsIn
        self.events = events
    }
}
