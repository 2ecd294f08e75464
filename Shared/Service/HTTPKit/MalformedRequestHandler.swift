import NIOCore
import NIOHTTP1

/// Says to a client what is wrong with a request that the parser refuses: by itself the server's answer has no body.
///
/// It is right after the decoder, where errors arrive first.
final class MalformedRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let text = """
        요청을 읽을 수 없습니다. 주소의 한글은 퍼센트 인코딩(%EA%B0%80)으로 보내세요.
        The request cannot be read. Percent-encode characters of the address that are not ASCII (%EA%B0%80).

        """

    private var hasRequest = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasRequest = true
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Behind a request that is read, this answer could come before that of the request.
        guard error is HTTPParserError, !hasRequest else { return context.fireErrorCaught(error) }
        let headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(Self.text.utf8.count)",
            "Connection": "close",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: Self.text)))), promise: nil)
        context.closeAfterWriting(wrapOutboundOut(.end(nil)), nil)
    }
}
