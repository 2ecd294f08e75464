internal import Majordomo
internal import ZeroMQ

/// One socket's life, from opening to loss.
struct SocketSession: Sendable {
    enum Change: Sendable {
        case connected, disconnected
    }

    let socket: Socket
    /// Nil for an inproc endpoint, which has no connection events: what is bound in this process is there.
    private let monitor: SocketMonitor?

    static func open(_ endpoint: String, in context: Context, options: SocketOptions) async throws -> SocketSession {
        let socket = try Socket(.dealer, in: context, options: options)
        let session = SocketSession(
            socket: socket, monitor: endpoint.hasPrefix("inproc://") ? nil : try await socket.monitor(in: context))
        do {
            try await socket.connect(endpoint)
        } catch {
            await session.close()
            throw error
        }
        return session
    }

    /// Tells every change of the connection until the session is closed.
    func watch(_ tell: (Change) async -> Void) async throws {
        guard let monitor else { return await tell(.connected) }
        while let event = try await monitor.next() {
            switch event {
            case .handshakeSucceeded: await tell(.connected)
            case .disconnected: await tell(.disconnected)
            case .connected, .handshakeFailed, .closed, .connectRetried, .monitorStopped: continue
            }
        }
    }

    func close() async {
        await socket.close()
        await monitor?.close()
    }
}
