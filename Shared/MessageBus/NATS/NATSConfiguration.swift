internal import NATS
public import NATSDispatch

/// How the servers of NATS are reached.
public struct NATSConfiguration: Sendable {
    /// URLs such as "nats://host:4222", separated by commas in `address`.
    public var servers: [String]
    public var dispatch = DispatchTiming()
    public var admission = AdmissionTiming()
    public var claim = ClaimTiming()

    public init(servers: [String]) {
        self.servers = servers
    }

    var address: String { servers.joined(separator: ",") }

    func options(of bus: BusConfiguration) -> NATSOptions {
        NATSOptions(servers: servers, name: bus.instance)
    }
}
