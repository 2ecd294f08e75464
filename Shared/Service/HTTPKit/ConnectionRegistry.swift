import CMemory
public import HummingbirdCore
import NIOCore
import NIOPosix
import Synchronization

/// How many connections a server keeps, and for how long.
public struct ConnectionLimits: Sendable {
    /// Beyond them another connection makes room, or the new one is closed.
    var maxTotal: Int
    var maxPerAddress: Int
    /// Peers without a limit of their own, since their connections carry the requests of others.
    var proxies: Set<ClientAddress> = []
    /// How long a connection may be open without a request.
    var idleLimit: Duration
    /// How long a client may take none of the bytes that are sent to it.
    var stallLimit: Duration

    public init(
        maxTotal: Int, maxPerAddress: Int, proxies: Set<ClientAddress> = [], idleLimit: Duration,
        stallLimit: Duration = .seconds(20)
    ) {
        self.maxTotal = maxTotal
        self.maxPerAddress = maxPerAddress
        self.proxies = proxies
        self.idleLimit = idleLimit
        self.stallLimit = stallLimit
    }
}

extension HTTP1Channel.Configuration {
    /// HTTP/1.1 with bounds for each connection, its requests and what is sent on it.
    public init(_ limits: ConnectionLimits) {
        self.init(ConnectionRegistry(limits))
    }

    init(_ registry: ConnectionRegistry) {
        self.init(
            additionalChannelHandlers: [ConnectionHandler(registry)],
            idleTimeout: .nanoseconds(Int64(registry.limits.idleLimit / .nanoseconds(1))))
        httpDecoder = .init(maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 100)
    }
}

/// All open connections of a server, and the channels to close.
final class ConnectionRegistry: Sendable {
    private struct State {
        var table: OpenConnections<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// The most connections since memory was given back.
        var peak = 0
    }

    /// Fewer connections leave too little memory behind.
    private static let crowd = 200

    let limits: ConnectionLimits
    private let state: Mutex<State>

    init(_ limits: ConnectionLimits) {
        self.limits = limits
        state = Mutex(
            State(table: OpenConnections(maxTotal: limits.maxTotal, maxPerAddress: limits.maxPerAddress)))
    }

    var count: Int { state.withLock { $0.table.count } }

    func open(_ channel: any Channel) {
        let peer = channel.remoteAddress.flatMap(ClientAddress.init)
        let limited = peer.flatMap { $0.isLoopback || limits.proxies.contains($0) ? nil : $0 }
        let surplus = state.withLock { state in
            let id = ObjectIdentifier(channel)
            state.channels[id] = channel
            state.peak = max(state.peak, state.channels.count)
            return state.table.open(id, from: limited, at: .now).flatMap { state.channels.removeValue(forKey: $0) }
        }
        surplus?.close(promise: nil)
    }

    func close(_ channel: any Channel) {
        let isCrowdGone = state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = nil
            state.table.close(ObjectIdentifier(channel))
            guard state.peak >= Self.crowd, state.channels.count <= state.peak / 4 else { return false }
            state.peak = state.channels.count
            return true
        }
        // What their buffers and tasks took would stay with the process; giving it back takes some milliseconds.
        if isCrowdGone { NIOThreadPool.singleton.submit { _ in memory_release_free() } }
    }

    func beginRequest(_ channel: any Channel) {
        state.withLock { $0.table.beginRequest(on: ObjectIdentifier(channel)) }
    }

    func endRequest(_ channel: any Channel) {
        state.withLock { $0.table.endRequest(on: ObjectIdentifier(channel)) }
    }

    func stall(_ channel: any Channel, since start: ContinuousClock.Instant?) {
        state.withLock { $0.table.stall(ObjectIdentifier(channel), since: start) }
    }
}
