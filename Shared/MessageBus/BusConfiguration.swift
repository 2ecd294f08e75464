public import Majordomo

/// The endpoints of the bus, and the identity of this process on it.
public struct BusConfiguration: Sendable {
    /// The version of Majordomo that is used with the broker.
    public enum ProtocolVersion: String, Sendable, CaseIterable {
        /// RFC 7, for a plain broker: a worker takes one request at a time, and requests are delayed, never refused.
        case v01 = "0.1"
        /// RFC 18, with our extensions where the broker supports them.
        case v02 = "0.2"

        var majordomo: MajordomoVersion { self == .v01 ? .v01 : .v02 }
    }

    public var endpoints: BusEndpoints
    /// The name of this process on the bus, for example "gateway/4711".
    public var instance: String
    /// For a broker on the network; without credentials, traffic to its tcp endpoints is clear text.
    public var credentials: BusCredentials?
    /// Called once with the broker's endpoint when the broker begins to refuse this process.
    public var onRefused: @Sendable (String) -> Void = { _ in }
    /// How long unsent events and replies are kept after the scope of the bus ends.
    public var linger = BusTiming.linger
    public var protocolVersion = ProtocolVersion.v02
    public var timing = MajordomoTiming()

    public init(endpoints: BusEndpoints, instance: String, credentials: BusCredentials? = nil) {
        self.endpoints = endpoints
        self.instance = instance
        self.credentials = credentials
    }
}

/// The three endpoints of a broker.
public struct BusEndpoints: Sendable, Hashable {
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
