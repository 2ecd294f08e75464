internal import CZeroMQ

/// An event of the connections of a bound socket; events are in the order in which they happened.
public enum ConnectionEvent: Sendable, Equatable {
    case accepted(AcceptedConnection)
    /// The connection of that descriptor has ended.
    case ended(descriptor: Int32)
    /// A peer over tcp did not complete its handshake; the end of its connection is a separate event.
    case handshakeFailed(HandshakeFailure)
}

/// The connections of a bound socket, read without waiting; one consumer.
///
/// A socket has one monitor at a time. No event is dropped: its pipe has no bound, since libzmq's thread would block on
/// a full one.
public actor ConnectionMonitor {
    static let monitored =
        ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
        | ZMQ_EVENT_MONITOR_STOPPED

    private let monitor: SocketMonitor
    private var machine = HandshakeStateMachine()
    /// Messages for the next call, left after `maxRounds` in a flood of connections.
    private var pending: [MonitorMessage] = []
    private static let maxRounds = 4

    /// The loop of its socket, so that it reads the identity of a peer while the peer is connected.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { monitor.reader.unownedExecutor }

    init(_ monitor: SocketMonitor) {
        self.monitor = monitor
    }

    /// The events since the last call.
    ///
    /// libzmq reports the descriptor, not the peer, and reports the end of a connection before it closes the
    /// descriptor: if no end is reported after the peer was read, the descriptor still belonged to this connection.
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

    /// Waits for events; false once the monitor or its socket is closed, or the task is cancelled.
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

    /// Nil for a message that does not concern a handshake over tcp.
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
