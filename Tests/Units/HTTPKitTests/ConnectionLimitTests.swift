import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

@testable import HTTPKit

/// Clients that keep connections without reading, on a real server.
@Suite(.timeLimit(.minutes(1))) struct ConnectionLimitTests {
    private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// A server whose page is larger than the buffers of a connection.
    private func withServer(
        _ limits: ConnectionLimits, _ body: @escaping @Sendable (Int, ConnectionRegistry) async throws -> Void
    ) async throws {
        let registry = ConnectionRegistry(limits)
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let page = ByteBuffer(repeating: 120, count: 8 << 20)
        let router = Router()
        router.get("/") { _, _ in Response(status: .ok, body: ResponseBody(byteBuffer: page)) }
        router.get("/small") { _, _ in "small\n" }
        router.get("/pieces") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for word in ["one ", "two "] { try await writer.write(ByteBuffer(string: word)) }
                    try await writer.finish(nil)
                })
        }
        let server = Application(
            router: router, server: .http1(configuration: .init(registry)),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ready.yield($0.localAddress?.port ?? 0) }, logger: Logger(label: "test"))
        let group = ServiceGroup(
            configuration: .init(services: [.init(service: server)], logger: Logger(label: "test")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await body(port, registry)
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func open(_ port: Int, sending text: String, reads: Bool = false) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: reads)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
        return channel
    }

    @Test func `a client that does not read loses its connection, and one that waits keeps it`() async throws {
        let limits = ConnectionLimits(
            maxTotal: 10, maxPerAddress: 10, idleLimit: .seconds(60), stallLimit: .milliseconds(300))
        try await withServer(limits) { port, registry in
            let waiting = try await open(port, sending: "")
            while registry.count < 1 { await Task.yield() }
            let stuck = try await open(port, sending: Self.request)
            while registry.count < 2 { await Task.yield() }
            while registry.count > 1 { await Task.yield() }
            #expect(waiting.isActive)
            try await stuck.close()
            try await waiting.close()
        }
    }

    /// What the server sends until it ends the connection.
    private func answer(_ port: Int, to requests: String, then rest: @Sendable (any Channel) async -> Void = { _ in })
        async throws -> String
    {
        let (parts, part) = AsyncStream.makeStream(of: ByteBuffer.self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(part))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: requests))
        await rest(channel)
        var text = ""
        for await part in parts { text += String(buffer: part) }
        return text
    }

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let parts: AsyncStream<ByteBuffer>.Continuation

        init(_ parts: AsyncStream<ByteBuffer>.Continuation) { self.parts = parts }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { parts.yield(unwrapInboundIn(data)) }
        func channelInactive(context: ChannelHandlerContext) { parts.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private static let few = ConnectionLimits(maxTotal: 10, maxPerAddress: 10, idleLimit: .seconds(60))

    @Test func `a client of HTTP 1 0 gets no chunks, and the end of the connection`() async throws {
        try await withServer(Self.few) { port, _ in
            let modern = "GET /small HTTP/1.1\r\nHost: a\r\n\r\n"
            let text = try await answer(port, to: modern + "GET /pieces HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("small\nHTTP/1.0 200 OK\r\n"))
            #expect(text.hasSuffix("\r\n\r\none two ") && !text.lowercased().contains("chunked"), "\(text)")
        }
    }

    @Test func `a request that cannot be read is answered with what is wrong`() async throws {
        try await withServer(Self.few) { port, _ in
            let text = try await answer(port, to: "GET /가 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && text.contains("Percent-encode"), "\(text)")
        }
    }

    @Test func `a body that does not end is not read`() async throws {
        try await withServer(Self.few) { port, _ in
            let written = Mutex(0)
            let head = "POST /small HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000000\r\n\r\n"
            let text = try await answer(port, to: head) { channel in
                let piece = ByteBuffer(repeating: 120, count: 64 << 10)
                // Until the connection ends, or what the kernel holds is more than plenty.
                while written.withLock({ $0 }) < 64 << 20, (try? await channel.writeAndFlush(piece)) != nil {
                    written.withLock { $0 += piece.readableBytes }
                }
            }
            #expect(written.withLock { $0 } < 64 << 20)
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 404"), "\(text)")
        }
    }

    @Test func `at the limit an idle connection makes room for a new one`() async throws {
        let limits = ConnectionLimits(maxTotal: 3, maxPerAddress: 3, idleLimit: .seconds(60))
        try await withServer(limits) { port, registry in
            var held: [any Channel] = []
            // One has sent a part of a request with a body, which it never ends.
            for text in ["POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx", "", "GET /"] {
                held.append(try await open(port, sending: text))
                while registry.count < held.count { await Task.yield() }
            }
            for _ in 1...3 {
                let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: port) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                        }
                    }
                try await client.executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(string: "GET /small HTTP/1.1\r\nHost: a\r\n\r\n"))
                    var answers = inbound.makeAsyncIterator()
                    let answer = try #require(try await answers.next())
                    #expect(String(buffer: answer).hasPrefix("HTTP/1.1 200"))
                }
            }
            for each in held { try? await each.close() }
        }
    }

    @Test func `requests that come faster than answers are bounded`() async throws {
        let limits = ConnectionLimits(maxTotal: 10, maxPerAddress: 10, idleLimit: .seconds(60))
        try await withServer(limits) { port, registry in
            let few = try await open(port, sending: String(repeating: Self.request, count: 16))
            while registry.count < 1 { await Task.yield() }
            let many = try await open(port, sending: String(repeating: Self.request, count: 17), reads: true)
            try await many.closeFuture.get()
            // The server's end is registered a moment later.
            while registry.count > 1 { await Task.yield() }
            #expect(few.isActive)
            try await few.close()
        }
    }
}
