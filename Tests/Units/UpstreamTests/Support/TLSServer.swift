import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization
import TestSupport

/// A server of one page over TLS on the loopback interface, with a self-signed certificate.
struct TLSServer: Sendable {
    let port: Int
    let certificate: NIOSSLCertificate
    private let requested: Names

    /// The names requested in the handshakes (SNI).
    var names: [String] { requested.names.withLock { $0 } }

    private final class Names: Sendable {
        let names = Mutex<[String]>([])
    }

    /// - Parameter name: the host name of the certificate.
    static func with<Answer>(
        name: String, answer: String, _ body: (TLSServer) async throws -> Answer
    ) async throws -> Answer {
        let (key, certificate) = try makeCertificate(name)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        configuration.shutdownTimeout = .milliseconds(100)
        let context = try NIOSSLContext(configuration: configuration)
        let names = Names()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    let pipeline = child.pipeline.syncOperations
                    try pipeline.addHandler(
                        ByteToMessageHandler(
                            SNIHandler { result in
                                if case .hostname(let name) = result { names.names.withLock { $0.append(name) } }
                                return child.eventLoop.makeCompletedFuture {
                                    try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                                    try child.pipeline.syncOperations.addHandler(PageHandler(page: answer))
                                }
                            }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(
                TLSServer(port: channel.localAddress?.port ?? 0, certificate: certificate, requested: names))
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    private static func makeCertificate(_ name: String) throws -> (NIOSSLPrivateKey, NIOSSLCertificate) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try TestCertificate(of: name, in: folder.path)
        return (
            try NIOSSLPrivateKey(file: made.keyFile, format: .pem), try NIOSSLCertificate.fromPEMFile(made.file)[0]
        )
    }
}

/// Answers each request with one page.
private final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let page: String

    init(page: String) {
        self.page = page
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: page)), promise: nil)
    }
}
