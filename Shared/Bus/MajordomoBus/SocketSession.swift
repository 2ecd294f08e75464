internal import Majordomo
internal import MessageBus
internal import ZeroMQ

/// The lifetime of one socket, from opening to loss.
struct SocketSession: Sendable {
    enum Change: Sendable {
        case connected, disconnected
        /// The handshake with a reachable broker failed.
        case refused
    }

    /// The delay before a refused process connects again; its key may be added to the broker in the meantime.
    private static let refusedPause: Duration = .seconds(1)

    let socket: Socket
    /// Nil for an inproc endpoint, which has no connection events: an endpoint of this process is always connected.
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

    /// Reports every change of the connection until the session is closed.
    func watch(_ report: (Change) async -> Void) async throws {
        guard let monitor else { return await report(.connected) }
        while let event = try await monitor.next() {
            switch event {
            case .handshakeSucceeded: await report(.connected)
            case .disconnected: await report(.disconnected)
            case .handshakeFailed: await report(.refused)
            case .handshakeRefused:
                await report(.refused)
                // libzmq has abandoned this socket. Its reader detects that it is closed and opens another.
                try? await Task.sleep(for: Self.refusedPause)
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

extension SocketOptions {
    /// The options of every socket of the bus: bounded pipes, a message size limit, quick reconnects, and keys when the
    /// broker is on the network.
    static func bus(
        _ configuration: MajordomoConfiguration, of bus: BusConfiguration, endpoint: String
    ) -> SocketOptions {
        var options = SocketOptions()
        options.linger = bus.linger
        options.sendHighWaterMark = 1000
        options.receiveHighWaterMark = 1000
        options.maxMessageSize = 4 << 20
        options.reconnectInterval = .milliseconds(50)
        options.adapt(to: endpoint)
        // On one machine the permissions of the run folder protect the sockets, and ipc endpoints use clear text.
        if endpoint.hasPrefix("tcp://") { options.curve = configuration.credentials?.role }
        return options
    }
}
