import Envelope
import MessageBus
import TestSupport
import Testing

@testable import NATS

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Servers of NATS that accept connections and say nothing.
@Suite(.timeLimit(.minutes(1))) struct SilentServerTests {
    private func withBus(
        _ instance: String, to servers: [String], _ body: (MessageBus) async throws -> Void
    ) async throws {
        var nats = NATSConfiguration(servers: servers)
        nats.dispatch.serverGrace = .seconds(10)
        try await withMessageBus(BusConfiguration(nats, instance: instance), body)
    }

    @Test func `a new client finds the server that answers, whichever it tries first`() async throws {
        try await NATSServer.run { silent in
            try await NATSServer.run { live in
                try await silent.start()
                try await live.start(hasJetStream: true)
                try await withBus("echo/1", to: [live.url]) { (bus) async throws in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            try await bus.worker(BusWorkerOptions(service: "echo", capacity: 4)).serve {
                                Envelope(header: $0.envelope.header, payload: $0.envelope.payload)
                            }
                        }
                        try await bus.awaitService("echo")
                        silent.suspend()
                        // Its first choice is random.
                        for number in 1...8 {
                            try await withBus("client/\(number)", to: [silent.url, live.url]) { (client) async throws in
                                #expect(try await client.ask("echo", "\(number)", timeout: .seconds(20)) == "\(number)")
                            }
                        }
                        group.cancelAll()
                    }
                }
            }
        }
    }
}
