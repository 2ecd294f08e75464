internal import Majordomo
internal import ZeroMQ

/// One socket's life, from opening to loss.
struct SocketSession: Sendable {
    enum Change: Sendable {
        case connected, disconnected
        /// A broker is there, and the handshake with it failed.
        case refused
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
            case .handshakeFailed: await tell(.refused)
            case .handshakeRefused:
                await tell(.refused)
                // libzmq has given this socket up. Whoever reads it sees its end, and opens another.
                try? await Task.sleep(for: BusTiming.refusedPause)
                await socket.close()
            case .connected, .closed, .connectRetried, .monitorStopped: continue
            }
        }
    }

    func close() async {
        await socket.close()
        await monitor?.close()
    }
}
