import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// All open connections of the server, and the channels to close.
final class ConnectionRegistry: Sendable {
    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private let proxies: Set<ClientAddress>
    private let state: Mutex<State>

    /// - Parameter proxies: have no limit of their own, since their connections carry the requests of others.
    init(maxTotal: Int, maxPerAddress: Int, proxies: Set<ClientAddress>) {
        self.proxies = proxies
        state = Mutex(State(table: ConnectionTable(maxTotal: maxTotal, maxPerAddress: maxPerAddress)))
    }

    fileprivate func open(_ channel: any Channel) {
        let peer = channel.remoteAddress.flatMap(ClientAddress.init)
        let limited = peer.flatMap { $0.isLoopback || proxies.contains($0) ? nil : $0 }
        let surplus = state.withLock { state in
            let id = ObjectIdentifier(channel)
            state.channels[id] = channel
            return state.table.open(id, from: limited).flatMap { state.channels.removeValue(forKey: $0) }
        }
        surplus?.close(promise: nil)
    }

    fileprivate func close(_ channel: any Channel) {
        state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = nil
            state.table.close(ObjectIdentifier(channel))
        }
    }

    fileprivate func beginRequest(_ channel: any Channel) {
        state.withLock { $0.table.beginRequest(on: ObjectIdentifier(channel)) }
    }

    fileprivate func endRequest(_ channel: any Channel) {
        state.withLock { $0.table.endRequest(on: ObjectIdentifier(channel)) }
    }
}

/// Enters one connection in the registry, and its requests.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let registry: ConnectionRegistry
    /// Whether the response in progress is a stream of events.
    private var isStream = false

    init(_ registry: ConnectionRegistry) {
        self.registry = registry
    }

    /// The kernel doubles it. By itself it would let the buffer of a client that does not read grow to megabytes.
    private static let sendBuffer: SocketOptionValue = 64 << 10

    func channelActive(context: ChannelHandlerContext) {
        registry.open(context.channel)
        // Of a connection that is closed already, it fails, which changes nothing.
        _ = context.channel.setOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        registry.close(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { registry.beginRequest(context.channel) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isStream = head.headerFields[.contentType]?.hasPrefix("text/event-stream") == true
        case .end:
            isStream = false
            registry.endRequest(context.channel)
        case .body: break
        }
        context.write(data, promise: promise)
    }

    /// A client may close its side after a request, and wait for the answer; one that leaves a stream has left.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isStream, event as? ChannelEvent == .inputClosed {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
