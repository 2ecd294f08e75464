import NIOCore
import NIOPosix
import Synchronization

/// A server on the loopback interface that sends the same bytes to each client, complete HTTP or not.
struct LoopbackServer: Sendable {
    enum Manner: Sendable {
        /// Sends the text and keeps the connection.
        case keepOpen(String)
        /// Sends the text and closes the connection.
        case close(String)
    }

    let port: Int
    private let log: RequestLog

    /// The requests received so far, as text.
    var requests: [String] { log.requests }

    func url(_ path: String = "") -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Returns when a request has arrived.
    func waitForRequest() async {
        for await _ in log.arrivals { return }
    }

    static func with<Answer>(
        _ manner: Manner, _ body: (LoopbackServer) async throws -> Answer
    ) async throws -> Answer {
        let log = RequestLog()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(ReplyHandler(manner: manner, log: log))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let answer: Answer
        do {
            answer = try await body(LoopbackServer(port: channel.localAddress?.port ?? 0, log: log))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
        return answer
    }

    /// A port without a listener: it was just closed.
    static func deadPort() async throws -> Int {
        try await with(.close("")) { $0.port }
    }
}

private final class RequestLog: Sendable {
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let texts = Mutex<[String]>([])

    init() {
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    var requests: [String] { texts.withLock { $0 } }

    func append(_ request: String) {
        texts.withLock { $0.append(request) }
        arrived.yield()
    }
}

private final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let manner: LoopbackServer.Manner
    private let log: RequestLog
    private var text = ""

    init(manner: LoopbackServer.Manner, log: RequestLog) {
        self.manner = manner
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        guard text.hasSuffix("\r\n\r\n") else { return }
        log.append(text)
        text = ""
        switch manner {
        case .keepOpen(let reply):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply)), promise: nil)
        case .close(let reply):
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply)), promise: written)
        }
    }
}
