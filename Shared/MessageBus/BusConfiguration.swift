internal import Majordomo

/// Where the bus is, and who speaks on it.
public struct BusConfiguration: Sendable {
    /// The version of Majordomo that is spoken to the broker.
    public enum ProtocolVersion: String, Sendable, CaseIterable {
        /// RFC 7, for a plain broker: a worker takes one request at a time, and nothing is refused, only late.
        case v01 = "0.1"
        /// RFC 18, with our extensions where the broker knows them.
        case v02 = "0.2"

        var majordomo: MajordomoVersion { self == .v01 ? .v01 : .v02 }
    }

    public var endpoints: BusEndpoints
    /// The name of this process on the bus, as "gateway/4711".
    public var instance: String
    /// For a broker on the network; without them its tcp endpoints are spoken to in clear text.
    public var credentials: BusCredentials?
    /// Told once when the broker begins to refuse this process, with the broker's endpoint.
    public var onRefused: @Sendable (String) -> Void = { _ in }
    /// How long unsent events and replies outlive the scope of the bus.
    public var linger = BusTiming.linger
    public var protocolVersion = ProtocolVersion.v02
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
