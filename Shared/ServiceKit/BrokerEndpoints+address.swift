public import MessageBus
internal import ProcessKit

extension BrokerEndpoints {
    /// The endpoints derived from a broker's request endpoint: for ipc files next to it, for tcp the next two ports.
    ///
    /// - Parameter broker: "ipc:///run/…/broker.ipc" or "tcp://host:port".
    public init(broker: String) throws {
        if broker.hasPrefix("ipc:///"), broker.hasSuffix("/broker.ipc") {
            let folder = broker.dropFirst("ipc://".count).dropLast("/broker.ipc".count)
            self = try RunFolder(path: String(folder)).endpoints()
        } else if let match = broker.wholeMatch(of: /(tcp:\/\/[^\/]+):([0-9]{1,5})/), let port = Int(match.2),
            (1...65_533).contains(port)
        {
            let host = match.1
            self.init(requests: broker, eventsIn: "\(host):\(port + 1)", events: "\(host):\(port + 2)")
        } else {
            throw BusAddress.unusable(broker)
        }
    }
}
