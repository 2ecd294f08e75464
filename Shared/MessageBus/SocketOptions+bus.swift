internal import ZeroMQ

extension SocketOptions {
    /// What every socket of the bus sets: bounded pipes, a net under oversized messages, quick reconnects, and keys where
    /// the broker is on the network.
    static func bus(_ configuration: BusConfiguration, endpoint: String) -> SocketOptions {
        var options = SocketOptions()
        options.linger = configuration.linger
        options.sendHighWaterMark = 1000
        options.receiveHighWaterMark = 1000
        options.maxMessageSize = 4 << 20
        options.reconnectInterval = BusTiming.reconnectInterval
        options.suit(endpoint)
        // Within one machine the run folder keeps others out, and the broker's ipc doors speak clear text.
        if endpoint.hasPrefix("tcp://") { options.curve = configuration.credentials?.role }
        return options
    }
}
