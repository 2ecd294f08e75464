internal import CZeroMQ

/// A change of a socket's connection (source: the libzmq manual, zmq_socket_monitor).
public enum SocketEvent: Sendable, Equatable {
    case connected, disconnected, handshakeSucceeded, handshakeFailed, closed, monitorStopped
    case connectRetried

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
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL, ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL,
            ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:
            self = .handshakeFailed
        case ZMQ_EVENT_MONITOR_STOPPED: self = .monitorStopped
        default: return nil
        }
    }
}

/// The connection events of one socket, pulled one at a time.
public struct SocketMonitor: Sendable {
    let watched: Socket
    let reader: Socket

    /// The next event; nil once the monitor is closed, its socket is gone, or the task is cancelled.
    public func next() async throws(ZeroMQError) -> SocketEvent? {
        while let message = try await reader.receive() {
            // First frame: a native 16-bit event number and a 32-bit value that is not needed here.
            guard let head = message.first, head.count >= 2 else { continue }
            let number = head.withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }
            guard let event = SocketEvent(number: Int32(number)) else { continue }
            return event == .monitorStopped ? nil : event
        }
        return nil
    }

    public func close() async {
        await watched.stopMonitoring()
        await reader.close()
    }
}
