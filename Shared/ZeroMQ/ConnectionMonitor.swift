internal import CZeroMQ

/// What happens to the connections of a bound socket, in the order in which it happened.
public enum ConnectionEvent: Sendable, Equatable {
    case accepted(AcceptedConnection)
    /// The connection of that descriptor has ended.
    case ended(descriptor: Int32)
    /// A peer over tcp did not complete its handshake; the end of its connection is reported beside this.
    case handshakeFailed(HandshakeFailure)
}

/// The connections of a bound socket, read without waiting; one consumer.
///
/// A socket has one monitor at a time. Nothing is dropped: libzmq's own thread would wait for a reader whose pipe is full.
public actor ConnectionMonitor {
    static let monitored =
        ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        | ZMQ_EVENT_MONITOR_STOPPED

    private let monitor: SocketMonitor
    private var machine = HandshakeStateMachine()
    /// In a flood of connections the rest waits for the next call.
    private var pending: [MonitorMessage] = []
    private static let maxRounds = 4

    /// On the loop of its socket, so that it reads who a peer is while the peer is there.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { monitor.reader.unownedExecutor }

    init(_ monitor: SocketMonitor) {
        self.monitor = monitor
    }

    /// What has happened since the last call.
    ///
    /// libzmq names the descriptor, not the peer, and says that a connection has ended before it closes the descriptor: if
    /// that has not been said after the peer was read, the descriptor was not yet another's.
    public func receiveReady() throws -> [ConnectionEvent] {
        var events: [ConnectionEvent] = []
        var messages = pending + (try readMessages())
        for _ in 0..<Self.maxRounds where !messages.isEmpty {
            let accepted = messages.map { message in
                message.number == ZMQ_EVENT_ACCEPTED ? AcceptedConnection(descriptor: message.value) : nil
            }
            let later = try readMessages()
            events += self.events(of: messages, accepted, before: later)
            messages = later
        }
        pending = messages
        return events
    }

    /// Waits for news; false once the monitor is closed, its socket is gone, or the task is cancelled.
    public func waitUntilReadable() async -> Bool {
        if !pending.isEmpty, !Task.isCancelled { return true }
        return await monitor.reader.waitUntilReadable()
    }

    public func close() async {
        await monitor.close()
    }

    private func readMessages() throws -> [MonitorMessage] {
        try monitor.reader.assumeIsolated { reader in
            var messages: [MonitorMessage] = []
            while let message = try reader.receiveIfReady() {
                if let message = MonitorMessage(message) { messages.append(message) }
            }
            return messages
        }
    }

    private func events(
        of messages: [MonitorMessage], _ accepted: [AcceptedConnection?], before later: [MonitorMessage]
    ) -> [ConnectionEvent] {
        var lastEnds: [Int32: Int] = [:]
        for (index, message) in (messages + later).enumerated() where message.number == ZMQ_EVENT_DISCONNECTED {
            lastEnds[message.value] = index
        }
        return zip(messages.indices, accepted).flatMap { index, connection in
            let message = messages[index]
            var connection = connection
            if let end = lastEnds[message.value], end > index { connection?.address = nil }
            let failure = step(of: message, connection?.address).flatMap { machine.received($0) }
            let event = connection.map { .accepted($0) } ?? message.end
            return [failure.map { .handshakeFailed($0) }, event].compactMap { $0 }
        }
    }

    /// Nil for what says nothing of a handshake over tcp.
    private func step(of message: MonitorMessage, _ address: String?) -> HandshakeStateMachine.Event? {
        guard message.endpoint.hasPrefix("tcp://") else { return nil }
        return switch message.number {
        case ZMQ_EVENT_ACCEPTED: .accepted(connection: message.value, address: address)
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED, ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: .settled
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: .failed(.init(protocolError: message.value))
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: .failed(.brokenOff)
        case ZMQ_EVENT_DISCONNECTED: .ended(connection: message.value)
        default: nil
        }
    }
}

extension MonitorMessage {
    fileprivate var end: ConnectionEvent? {
        number == ZMQ_EVENT_DISCONNECTED ? .ended(descriptor: value) : nil
    }
}
