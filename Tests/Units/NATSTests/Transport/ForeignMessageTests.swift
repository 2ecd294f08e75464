import Envelope
import MessageBus
import PollLoop
import TestSupport
import Testing

@testable import Majordomo
@testable import NATS

/// What programs of others send to our subjects on NATS.
@Suite(.timeLimit(.minutes(1))) struct ForeignMessageTests {
    private static let id = RequestID(query: 1, call: 2)

    private func withWorkerAndForeigner(
        _ body: (BusScene, NATSConnection) async throws -> Void
    ) async throws {
        try await BusScene.run(.nats) { scene in
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: { $0.envelope.payload }) { _ in
                    let loop = try PollLoop()
                    try await loop.withRunning {
                        let options = NATSOptions(servers: [scene.address], name: "foreigner")
                        try await withNATSConnection(options, on: loop) { try await body(scene, $0) }
                    }
                }
            }
        }
    }

    private func message(kind: String) throws -> [UInt8] {
        let header = Header(
            query: HexadecimalID(rawValue: 1), kind: kind, sender: "foreigner/1",
            traceparent: TraceParent(query: 1, call: 2))
        let control = ControlFrame(id: Self.id, flags: .idempotent, remainingMilliseconds: 5000)
        return PackedFrames.pack([control.encoded()] + (try Envelope(header: header).frames()))
    }

    private func answer(_ data: [UInt8], _ subject: String, over connection: NATSConnection) async throws -> [[UInt8]] {
        let answers = try await connection.ask(subject, data, until: .now + .seconds(10))
        return try #require(PackedFrames.unpack(answers[0].data))
    }

    @Test(arguments: [[], [1, 2, 3], [0, 1, 0, 0, 0, 0], Array("hello".utf8)] as [[UInt8]])
    func `a message without our control frame is refused`(data: [UInt8]) async throws {
        try await withWorkerAndForeigner { (scene, connection) async throws in
            let frames = try await answer(data, Subjects.request("test.ask", of: "echo"), over: connection)
            guard case .control(let control) = ControlFrame.read(frames.first) else {
                Issue.record("no control frame")
                return
            }
            #expect(control.flags == .refused)
            #expect(frames[1].text == "malformed")
            try await scene.withBus("client/1") { (bus) async throws in
                #expect(try await bus.ask("echo", "after") == "after")
            }
        }
    }

    @Test func `a control frame of another version is refused by its id`() async throws {
        try await withWorkerAndForeigner { (_, connection) async throws in
            var frame = ControlFrame(id: Self.id).encoded()
            frame[4] = 9
            let frames = try await answer(
                PackedFrames.pack([frame]), Subjects.request("test.ask", of: "echo"), over: connection)
            #expect(ControlFrame.id(in: frames.first) == Self.id)
            #expect(frames[1].text == "malformed")
        }
    }

    @Test func `a kind that the subject does not have is not processed`() async throws {
        try await withWorkerAndForeigner { (_, connection) async throws in
            let honest = try await answer(
                message(kind: "test.ask"), Subjects.request("test.ask", of: "echo"), over: connection)
            #expect(try JSONBytes.decode(Header.self, from: honest[1]).status != .failed)
            let forged = try await answer(
                message(kind: "cache.clear"), Subjects.request("test.ask", of: "echo"), over: connection)
            let header = try JSONBytes.decode(Header.self, from: forged[1])
            #expect(header.status == .failed && header.failure?.code == .malformed)
        }
    }

    @Test func `a worker answers to inboxes only`() async throws {
        try await withWorkerAndForeigner { (scene, connection) async throws in
            #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
            let (arrivals, arrived) = AsyncStream.makeStream(of: NATSConnection.Arrival.self)
            _ = try await connection.subscribe("boxoffice.event.>") { arrived.yield($0) }
            try await connection.publish(
                message(kind: "test.ask"), to: Subjects.request("test.ask", of: "echo"), reply: "boxoffice.event.forged"
            )
            // The answer to a later request follows what the earlier one has caused.
            try await scene.withBus("client/1") { (bus) async throws in
                #expect(try await bus.ask("echo", "after") == "after")
            }
            #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
            arrived.finish()
            for await arrival in arrivals {
                guard case .message(let message) = arrival else { continue }
                #expect(message.subject != "boxoffice.event.forged")
            }
        }
    }
}
