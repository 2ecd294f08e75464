extension SocketOptions {
    /// Adds what an endpoint needs that can be reached from other machines; an ipc or inproc endpoint needs nothing.
    ///
    /// Between machines a connection may be held open in silence, or vanish without a word. libzmq has no bound on the number
    /// of connections: that is the process's limit of open files. Beside it stand the high-water marks, `maxMessageSize`
    /// and libzmq's own backlog of 100 connections that wait to be accepted.
    public mutating func suit(_ endpoint: String) {
        guard endpoint.hasPrefix("tcp://") else { return }
        // libzmq's 30 s would let a silent stranger keep its descriptor three times as long.
        handshakeInterval = .seconds(10)
        // A PUSH or SUB has nothing to say for hours; only a probe tells that its machine is gone.
        heartbeat = (interval: .seconds(5), timeout: .seconds(15))
        isIPv6 = endpoint.hasPrefix("tcp://[")
    }
}
