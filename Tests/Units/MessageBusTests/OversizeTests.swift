import Contracts
import Envelope
import Localization
import Majordomo
import MessageBus
import TestSupport
import Testing
import ZeroMQ

/// The sender's check refuses oversized messages before they are sent; libzmq's larger limit closes the connection.
@Suite(.timeLimit(.minutes(1))) struct OversizeTests {
    /// The broker's limit of one frame (MAXMSGSIZE).
    private static let limit = 4 << 20

    private static func request(_ body: [UInt8]...) -> Message {
        [Array("MDPC02".utf8), [1], Array("echo".utf8)] + body
    }

    /// A request whose answer is delayed until `release()`: its answer proves that the connection was not replaced.
    private struct Hold: Sendable {
        private let beginning = AsyncStream.makeStream(of: Void.self)
        private let end = AsyncStream.makeStream(of: Void.self)

        func waitUntilBegun() async { for await _ in beginning.stream {} }
        func release() { end.continuation.finish() }

        func wait() async {
            beginning.continuation.finish()
            for await _ in end.stream {}
        }
    }

    private func withScene(_ body: (BusScene, MessageBus, Hold) async throws -> Void) async throws {
        let hold = Hold()
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("echo/1") { bus in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            try await bus.worker(BusWorkerOptions(service: "echo", capacity: 8)).serve { request in
                                if request.envelope.payload == Array("hold".utf8) { await hold.wait() }
                                let isHuge = request.envelope.payload == Array("huge".utf8)
                                return Envelope(
                                    header: request.envelope.header,
                                    payload: isHuge ? Array(repeating: 0, count: 2_097_153) : request.envelope.payload)
                            }
                        }
                        try await bus.awaitService("echo")
                        try await scene.withBus("client/1") { try await body(scene, $0, hold) }
                        hold.release()
                        group.cancelAll()
                    }
                }
            }
        }
    }

    /// The broker's counts of messages from clients.
    private func requests(_ bus: MessageBus) async throws -> MessageCounts {
        try #require(try await bus.brokerStats(deadline: .now + .seconds(10))).messages
    }

    @Test func `a frame over the limit closes the connection of its sender and no other`() async throws {
        try await withScene { (scene, bus, hold) async throws in
            async let held = bus.ask("echo", "hold")
            await hold.waitUntilBegun()
            try await withContext { context in
                try await withSocket(.dealer, in: context) { socket in
                    let monitor = try await socket.monitor(in: context)
                    try await socket.connect(scene.endpoints.requests)
                    var event = try await monitor.next()
                    while event != .handshakeSucceeded { event = try await monitor.next() }
                    let tooMuch = [UInt8](repeating: 0, count: Self.limit + 1)
                    #expect(try await socket.send(Self.request([1], tooMuch)) == .sent)
                    #expect(try await monitor.next() == .disconnected)
                    await monitor.close()
                }
            }
            #expect(try await bus.ask("echo", "after") == "after")
            hold.release()
            #expect(try await held == "hold")
            let counts = try await requests(bus)
            #expect(counts.faults.isEmpty, "the frames before the large one are not taken for a message")
        }
    }

    @Test func `a frame at the limit is accepted`() async throws {
        try await withScene { (scene, bus, _) async throws in
            try await withContext { context in
                try await withSocket(.dealer, in: context) { socket in
                    try await socket.connect(scene.endpoints.requests)
                    let most = [UInt8](repeating: 0, count: Self.limit)
                    #expect(try await socket.send(Self.request(most)) == .sent)
                    // The worker decodes it as an envelope, and reports the fault.
                    let reply = try #require(try await socket.receive())
                    #expect(reply.starts(with: [Array("MDPC02".utf8), [3], Array("echo".utf8)]))
                }
            }
            #expect(try await bus.ask("echo", "after") == "after")
        }
    }

    @Test func `the check of the sender names the limit and keeps the connection`() async throws {
        try await withScene { (_, bus, hold) async throws in
            async let held = bus.ask("echo", "hold")
            await hold.waitUntilBegun()
            let failure = await #expect(throws: Failure.self) {
                try await bus.ask("echo", String(repeating: "a", count: 2_097_153))
            }
            #expect(failure?.code == .tooLarge && failure?.message.en.contains("2097152") == true)
            hold.release()
            #expect(try await held == "hold")
        }
    }

    @Test func `an answer that is too large becomes a failure that states it`() async throws {
        try await withScene { (_, bus, _) async throws in
            let request = BusRequest(
                service: "echo", kind: "test.ask", trace: .root(), payload: Array("huge".utf8), isIdempotent: true)
            let header = try await bus.request(request, deadline: .now + .seconds(10)).envelope.header
            #expect(header.status == .failed && header.failure?.code == .tooLarge)
            #expect(header.failure?.message.ko.contains("2097153") == true)
        }
    }
}
