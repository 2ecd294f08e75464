import Envelope
import MessageBus
import NATS
import NATSDispatch
import PollLoop
import TestSupport
import Testing

/// The stream of events on NATS, which the servers may lose while everybody stays connected.
@Suite(.timeLimit(.minutes(1))) struct EventStreamLossTests {
    @Test func `a publisher makes a lost stream again`() async throws {
        try await BusScene.run(.nats) { scene in
            try await scene.withBroker {
                try await scene.withBus("test/1") { (bus) async throws in
                    let stream = try await bus.subscribe()
                    bus.publish(Event(at: 1, kind: "test.before", source: "test/1"))
                    #expect(try await stream.next()?.0.event.kind == "test.before")
                    // A reader would make it, too.
                    await stream.close()
                    try await withAdministrator(of: scene) { connection in
                        #expect(try await ask("DELETE", over: connection).contains(#""success":true"#))
                        while try await ask("INFO", over: connection).contains(#""code":404"#) {
                            bus.publish(Event(at: 2, kind: "test.after", source: "test/1"))
                        }
                    }
                }
            }
        }
    }

    private func ask(_ verb: String, over connection: NATSConnection) async throws -> String {
        let subject = "$JS.API.STREAM.\(verb).\(Subjects.eventStream)"
        return String(decoding: try await connection.ask(subject, until: .now + .seconds(10))[0].data, as: UTF8.self)
    }

    private func withAdministrator(
        of scene: BusScene, _ body: (NATSConnection) async throws -> Void
    ) async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            try await withNATSConnection(NATSOptions(servers: [scene.address], name: "administrator"), on: loop) {
                try await body($0)
            }
        }
    }
}
