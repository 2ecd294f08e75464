internal import CZeroMQ

/// The connection events of one socket, read one at a time.
public struct SocketMonitor: Sendable {
    let watched: Socket
    let reader: Socket

    /// Waits for the next event; nil once the monitor or its socket is closed, or the task is cancelled.
    public func next() async throws(ZeroMQError) -> SocketEvent? {
        while let message = try await reader.receive() {
            guard let message = MonitorMessage(message), let event = SocketEvent(number: message.number) else {
                continue
            }
            return event == .monitorStopped ? nil : event
        }
        return nil
    }

    public func close() async {
        await watched.stopMonitoring()
        await reader.close()
    }
}

/// A change of a socket's connection (source: the libzmq manual, zmq_socket_monitor).
public enum SocketEvent: Sendable, Equatable {
    case connected, disconnected, handshakeSucceeded, closed, monitorStopped, connectRetried
    /// The connection ended during the handshake; libzmq retries.
    case handshakeFailed
    /// The peer refused the handshake, or the protocols do not match; libzmq does not retry, the socket stays
    /// unconnected.
    case handshakeRefused

    static let monitored =
        ZMQ_EVENT_CONNECTED | ZMQ_EVENT_CONNECT_RETRIED | ZMQ_EVENT_DISCONNECTED
        | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
        | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH | ZMQ_EVENT_MONITOR_STOPPED

    init?(number: Int32) {
        switch number {
        case ZMQ_EVENT_CONNECTED: self = .connected
        case ZMQ_EVENT_CONNECT_RETRIED: self = .connectRetried
        case ZMQ_EVENT_DISCONNECTED: self = .disconnected
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: self = .handshakeSucceeded
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: self = .handshakeFailed
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL, ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: self = .handshakeRefused
        case ZMQ_EVENT_MONITOR_STOPPED: self = .monitorStopped
        default: return nil
        }
    }
}

/// One message of a socket monitor, as libzmq writes it.
struct MonitorMessage: Sendable, Equatable {
    let number: Int32
    /// A file descriptor, an errno or a status, depending on the event.
    let value: Int32
    /// For a bound socket its own endpoint, not the peer's.
    let endpoint: String

    init?(_ message: Message) {
        // First frame: a native 16-bit event number and a 32-bit value; second frame: the endpoint.
        guard message.count == 2, message[0].count == 6 else { return nil }
        number = message[0].withUnsafeBytes { Int32($0.loadUnaligned(as: UInt16.self)) }
        value = message[0].withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: Int32.self) }
        endpoint = String(decoding: message[1], as: UTF8.self)
    }
}
