internal import ZeroMQ

extension SocketOptions {
    /// The options of every socket of the bus: bounded pipes, a message size limit, quick reconnects, and keys when the
    /// broker is on the network.
    static func bus(_ configuration: BusConfiguration, endpoint: String) -> SocketOptions {
        var options = SocketOptions()
        options.linger = configuration.linger
        options.sendHighWaterMark = 1000
        options.receiveHighWaterMark = 1000
        options.maxMessageSize = 4 << 20
        options.reconnectInterval = BusTiming.reconnectInterval
        options.suit(endpoint)
        // On one machine the permissions of the run folder protect the sockets, and ipc endpoints use clear text.
        if endpoint.hasPrefix("tcp://") { options.curve = configuration.credentials?.role }
        return options
    }
}
