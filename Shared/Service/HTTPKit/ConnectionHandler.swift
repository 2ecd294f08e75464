import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Enters one connection in the registry, and its requests.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The kernel doubles it. By itself it would let the buffer of a client that does not read grow to megabytes.
    private static let sendBuffer: SocketOptionValue = 64 << 10
    /// Beyond the second a response waits until the client has taken bytes, down to the first.
    private static let unsentBytes = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 10, high: 32 << 10)
    /// A read of the socket may contain thousands of short requests, each of which takes a kilobyte until it is answered.
    private static let maxPipelined = 16

    /// No request has a body that matters: one that goes on beyond is not read to its end.
    private static let maxBody = 64 << 10

    private let registry: ConnectionRegistry
    private var unanswered = 0
    private var bodyBytes = 0
    private var isOverlong: Bool { bodyBytes > Self.maxBody }
    /// Whether the response in progress is a stream of events.
    private var isStream = false

    init(_ registry: ConnectionRegistry) {
        self.registry = registry
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let stall = StallHandler(limit: registry.limits.stallLimit) { [registry] in registry.stall($0, since: $1) }
        // Adding them fails only in a pipeline that is being closed, which needs neither.
        let pipeline = context.pipeline.syncOperations
        try? pipeline.addHandler(stall, position: .first)
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            try? pipeline.addHandler(RequestParserHandler(), position: .after(decoder))
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        registry.open(context.channel)
        // Of a connection that is closed already, they fail, which changes nothing.
        _ = context.channel.setOption(.socketOption(.so_sndbuf), value: Self.sendBuffer)
        _ = context.channel.setOption(.writeBufferWaterMark, value: Self.unsentBytes)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        registry.close(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            bodyBytes = 0
            guard unanswered <= Self.maxPipelined else { return context.close(promise: nil) }
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if isOverlong {
                if unanswered == 0 { context.close(promise: nil) }
                return
            }
        // A client that never ends its request keeps no place from others.
        case .end: registry.beginRequest(context.channel)
        }
        context.fireChannelRead(data)
    }

    /// What follows an overlong body stays with its client.
    func read(context: ChannelHandlerContext) {
        if !isOverlong { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head):
            // A lookup by name would make a new string for each response.
            let type = head.headerFields.first { $0.name == .contentType }?.value
            isStream = type?.hasPrefix("text/event-stream") == true
        case .end:
            isStream = false
            unanswered -= 1
            registry.endRequest(context.channel)
            if isOverlong { return context.closeAfterWriting(data, promise) }
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
