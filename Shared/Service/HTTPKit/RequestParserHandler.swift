import NIOCore
import NIOHTTP1

/// Answers requests of HTTP/1.0 as their clients can read it: without chunks, and the end of the connection ends the body.
///
/// It is between the decoder and what knows no versions.
final class FirstVersionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether each unanswered request is of HTTP/1.0, in the order of the answers.
    private var unanswered: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            unanswered.append(head.version.major == 1 && head.version.minor == 0)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard unanswered.first == true else {
            if case .end = unwrapOutboundIn(data), !unanswered.isEmpty { unanswered.removeFirst() }
            return context.write(data, promise: promise)
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            head.version = .http1_0
            head.headers.remove(name: "Transfer-Encoding")
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            unanswered.removeFirst()
            context.closeAfterWriting(data, promise)
        }
    }
}

extension ChannelHandlerContext {
    /// Writes the last part of an answer, and closes the connection when it is out.
    func closeAfterWriting(_ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        let written = promise ?? eventLoop.makePromise()
        write(data, promise: written)
        flush()
        written.futureResult.assumeIsolated().whenComplete { _ in self.close(promise: nil) }
    }
}
