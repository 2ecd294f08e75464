extension SocketOptions {
    /// Adds the options for an endpoint on a network; an ipc or inproc endpoint needs none.
    ///
    /// Between machines, a silent connection may stay open, or a connection may be lost without notice. libzmq does not
    /// bound the number of connections; the process's limit of open files does. Further bounds are the high-water
    /// marks, `maxMessageSize` and libzmq's backlog of 100 connections that wait to be accepted.
    public mutating func suit(_ endpoint: String) {
        guard endpoint.hasPrefix("tcp://") else { return }
        // With libzmq's default of 30 s, a silent unauthenticated peer would keep its descriptor three times as long.
        handshakeInterval = .seconds(10)
        // A PUSH or SUB may send nothing for hours; only a probe detects that its machine is unavailable.
        heartbeat = (interval: .seconds(5), timeout: .seconds(15))
        isIPv6 = endpoint.hasPrefix("tcp://[")
    }
}
