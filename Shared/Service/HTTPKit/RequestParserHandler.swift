import NIOCore
import NIOHTTP1

/// Answers as the client of a request can read it what only the decoder knows.
///
/// Requests of HTTP/1.0 get no chunks, and the end of the connection ends the body. A request that the decoder refuses
/// gets the reason: by itself the server's answer has no body.
final class RequestParserHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private static let reason = """
        요청을 읽을 수 없습니다. 주소에는 한글을 그대로 쓰지 말고 퍼센트 인코딩(%EA%B0%80)을 쓰세요.
        The request cannot be read. Percent-encode characters of the address that are not ASCII (%EA%B0%80).

        """

    private var isRefused = false
    /// Whether each unanswered request is of HTTP/1.0, in the order of the answers.
    private var unanswered: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            unanswered.append(head.version.major == 1 && head.version.minor == 0)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder may report one request twice, and while another is answered no answer can be between.
        guard case HTTPParserError.invalidURL = error, unanswered.isEmpty, !isRefused else {
            return context.fireErrorCaught(error)
        }
        isRefused = true
        let headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(Self.reason.utf8.count)",
            "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: Self.reason)))), promise: nil)
        context.closeAfterWriting(wrapOutboundOut(.end(nil)), nil)
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
