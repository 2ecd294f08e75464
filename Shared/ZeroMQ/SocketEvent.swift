internal import CZeroMQ

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
