import Foundation
import PollLoop
import TestSupport
import Testing

@testable import NATS

/// A connection over TLS, whose state in libnats no two threads may use at once.
@Suite(.timeLimit(.minutes(1))) struct EncryptedConnectionTests {
    private func withConnection(
        to server: NATSServer, _ body: (NATSConnection) async throws -> Void
    ) async throws {
        var options = NATSOptions(servers: [server.url(scheme: "tls", host: "localhost")], name: "test/1")
        options.usesTLS = true
        options.trustedCertificates = "\(server.folder)/localhost.pem"
        let (loop, attempt) = (try PollLoop(), options)
        try await loop.withRunning {
            try await withNATSConnection(attempt, on: loop) { connection in
                for await change in await connection.changes() where change == .connected { break }
                try await body(connection)
            }
        }
    }

    @Test func `it ends while messages arrive`() async throws {
        try await NATSServer.run { server in
            let certificate = try TestCertificate(of: "localhost", in: server.folder)
            let files = "cert_file: \"\(certificate.file)\", key_file: \"\(certificate.keyFile)\""
            try await server.start(settings: "tls { \(files) }\n")
            try await withConnection(to: server) { sender in
                let flood = Task {
                    while !Task.isCancelled {
                        for _ in 0..<64 { try await sender.publish([UInt8](repeating: 1, count: 512), to: "flood") }
                        await Task.yield()
                    }
                }
                for _ in 0..<50 {
                    try await withConnection(to: server) { connection in
                        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
                        _ = try await connection.subscribe("flood") { _ in arrived.yield() }
                        for await _ in arrivals.prefix(200) {}
                        try await connection.publish([], to: "last")
                    }
                }
                flood.cancel()
                try await flood.value
            }
        }
    }
}
