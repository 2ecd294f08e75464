internal import CZeroMQ

/// The handshakes that fail at the tcp endpoints of a bound socket, pulled one at a time; one consumer.
public actor HandshakeMonitor {
    static let monitored =
        ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        | ZMQ_EVENT_MONITOR_STOPPED

    private static let maxPending = 256

    private let monitor: SocketMonitor
    private var machine = HandshakeStateMachine()
    /// Read ahead, see `peer(of:)`.
    private var pending: [MonitorMessage] = []

    /// On the loop of its socket, so that it reads a peer's address while the peer is there.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { monitor.reader.unownedExecutor }

    init(_ monitor: SocketMonitor) {
        self.monitor = monitor
    }

    /// The next failure; nil once the monitor is closed, its socket is gone, or the task is cancelled.
    public func next() async throws -> HandshakeFailure? {
        while let message = try await nextMessage(), message.number != ZMQ_EVENT_MONITOR_STOPPED {
            guard message.endpoint.hasPrefix("tcp://"), let event = try event(of: message) else { continue }
            if let failure = machine.received(event) { return failure }
        }
        return nil
    }

    public func close() async {
        await monitor.close()
    }

    private func event(of message: MonitorMessage) throws -> HandshakeStateMachine.Event? {
        switch message.number {
        case ZMQ_EVENT_ACCEPTED:
            .accepted(connection: message.value, address: try address(of: message.value))
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED, ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: .settled
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: .failed(.init(protocolError: message.value))
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: .failed(.brokenOff)
        case ZMQ_EVENT_DISCONNECTED: .ended(connection: message.value)
        default: nil
        }
    }

    /// libzmq tells the descriptor, not the peer. It says that a connection has ended before it closes the descriptor: if
    /// that has not been said after the address was read, the descriptor was not yet another's.
    private func address(of connection: Int32) throws -> String? {
        let address = peerAddress(of: connection)
        while pending.count < Self.maxPending,
            let message = try monitor.reader.assumeIsolated({ try $0.receiveIfReady() })
        {
            if let message = MonitorMessage(message) { pending.append(message) }
        }
        // In a flood of connections the rest stays with libzmq, which then waits with new ones.
        guard pending.count < Self.maxPending else { return nil }
        let hasEnded = pending.contains { $0.number == ZMQ_EVENT_DISCONNECTED && $0.value == connection }
        return hasEnded ? nil : address
    }

    private func nextMessage() async throws -> MonitorMessage? {
        if !pending.isEmpty { return pending.removeFirst() }
        while let message = try await monitor.reader.receive() {
            if let message = MonitorMessage(message) { return message }
        }
        return nil
    }
}
