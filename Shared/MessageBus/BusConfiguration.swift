internal import Majordomo

/// Where the bus is, and who speaks on it.
public struct BusConfiguration: Sendable {
    public var endpoints: BusEndpoints
    /// The name of this process on the bus, as "gateway/4711".
    public var instance: String
    /// For a broker on the network; without them its tcp endpoints are spoken to in clear text.
    public var credentials: BusCredentials?
    /// Told once when the broker begins to refuse this process, with the broker's endpoint.
    public var onRefused: @Sendable (String) -> Void = { _ in }
    /// How long unsent events and replies outlive the scope of the bus.
    public var linger: Duration = .milliseconds(250)
    var timing = MajordomoTiming()

    public init(endpoints: BusEndpoints, instance: String, credentials: BusCredentials? = nil) {
        self.endpoints = endpoints
        self.instance = instance
        self.credentials = credentials
    }
}

/// The three doors of a broker.
public struct BusEndpoints: Sendable, Hashable {
    /// Requests and replies.
    public let requests: String
    /// Where processes push their events.
    public let eventsIn: String
    /// Where the broker publishes the stream of all events.
    public let events: String

    public init(requests: String, eventsIn: String, events: String) {
        self.requests = requests
        self.eventsIn = eventsIn
        self.events = events
    }
}
