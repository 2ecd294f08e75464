import Envelope
import Foundation
import MessageBus
import NATS
import NATSDispatch
import PollLoop
import TestSupport
import Testing

/// The stream of events on NATS, which the servers may lose while everybody stays connected, or be without.
@Suite(.timeLimit(.minutes(1))) struct EventStreamLossTests {
    @Test func `a publisher makes a lost stream again, and loses no event`() async throws {
        try await BusScene.run(.nats) { scene in
            try await scene.withBroker {
                try await scene.withBus("test/1") { (bus) async throws in
                    let stream = try await bus.subscribe()
                    bus.publish(.numbered(0))
                    #expect(try await stream.next()?.0.event.number == 0)
                    // A reader would make it, too.
                    await stream.close()
                    try await withAdministrator(of: scene.address) { connection in
                        #expect(try await ask("DELETE", over: connection).contains(#""success":true"#))
                        for number in 1...5 { bus.publish(.numbered(number)) }
                        while try await ask("INFO", over: connection).contains(#""code":404"#) {}
                    }
                    #expect(try await numbers(over: bus, upTo: 5) == Array(1...5))
                    #expect(bus.droppedEvents == 0)
                }
            }
        }
    }

    @Test func `events are sent until the stream stores them`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            var timing = OutboxTiming()
            timing.silence = .milliseconds(50)
            try await withBus(to: server, timing) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { connection in
                    try await set("subjects", to: ["elsewhere.>"], over: connection)
                    let (attempts, arrival) = AsyncStream.makeStream(of: Void.self)
                    _ = try await connection.subscribe(Subjects.events) { _ in arrival.yield() }
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                    bus.publish(.numbered(1))
                    // Twice in vain.
                    var attempt = attempts.makeAsyncIterator()
                    for _ in 1...2 { await attempt.next() }
                    for number in 2...3 { bus.publish(.numbered(number)) }
                    try await set("subjects", to: [Subjects.events], over: connection)
                }
                #expect(try await numbers(over: bus, upTo: 3) == [1, 2, 3])
                #expect(bus.droppedEvents == 0)
            }
        }
    }

    @Test func `an event that is sent again and again is stored once`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            var timing = OutboxTiming()
            // No receipt arrives so soon.
            timing.silence = .zero
            try await withBus(to: server, timing) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { connection in
                    let (attempts, arrival) = AsyncStream.makeStream(of: Void.self)
                    _ = try await connection.subscribe(Subjects.events) { _ in arrival.yield() }
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                    for number in 1...20 { bus.publish(.numbered(number)) }
                    #expect(try await numbers(over: bus, upTo: 20) == Array(1...20))
                    // Repetitions that were stored would come before the last one.
                    bus.publish(.numbered(21))
                    #expect(try await numbers(over: bus, upTo: 21) == Array(1...21))
                    #expect(await connection.makeRoundTrip(until: .now + .seconds(10)))
                    arrival.finish()
                    #expect(await attempts.reduce(0) { count, _ in count + 1 } > 21)
                }
                #expect(bus.droppedEvents == 0)
            }
        }
    }

    @Test func `a process that publishes nothing makes the stream`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await withAdministrator(of: server.url) { connection in
                #expect(try await ask("INFO", over: connection).contains(#""code":404"#))
                try await withBus(to: server) { _ in
                    while try await ask("INFO", over: connection).contains(#""code":404"#) {}
                }
            }
        }
    }

    @Test func `a process that ends sends what it has published`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await withBus(to: server) { bus in
                try await bus.subscribe().close()
                try await withBus(to: server) { ending in
                    try await ending.ping(deadline: .now + .seconds(10))
                    for number in 1...1000 { ending.publish(.numbered(number)) }
                }
                #expect(try await numbers(over: bus, upTo: 1000) == Array(1...1000))
            }
        }
    }

    @Test func `an event that the stream refuses is counted, and the next one stored`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await withBus(to: server) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { try await set("max_msg_size", to: 1000, over: $0) }
                // The first is too large for this stream, the second for each.
                for count in [2000, 65 << 10] {
                    bus.publish(Event(at: 1, kind: String(repeating: "k", count: count), source: "test/1"))
                }
                bus.publish(.numbered(1))
                #expect(try await numbers(over: bus, upTo: 1) == [1])
                #expect(bus.droppedEvents == 2)
            }
        }
    }

    @Test func `events that are given up do not hold back later ones`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            var timing = OutboxTiming()
            (timing.silence, timing.lifetime) = (.milliseconds(50), .milliseconds(200))
            try await withBus(to: server, timing) { bus in
                try await bus.subscribe().close()
                try await withAdministrator(of: server.url) { connection in
                    try await set("subjects", to: ["elsewhere.>"], over: connection)
                    bus.publish(.numbered(1))
                    try await bus.ping(deadline: .now + .seconds(10))
                    bus.publish(.numbered(2))
                    while bus.droppedEvents < 2 { try await bus.ping(deadline: .now + .seconds(10)) }
                    try await set("subjects", to: [Subjects.events], over: connection)
                    bus.publish(.numbered(3))
                }
                #expect(try await numbers(over: bus, upTo: 3) == [3])
            }
        }
    }

    private func numbers(over bus: MessageBus, upTo last: Int) async throws -> [Int] {
        var numbers: [Int] = []
        let stream = try await bus.subscribe(last: 10_000)
        while numbers.last != last, let (event, _) = try await stream.next() {
            if let number = event.event.number { numbers.append(number) }
        }
        await stream.close()
        return numbers
    }

    private func ask(_ verb: String, _ question: Data = Data(), over connection: NATSConnection) async throws -> String
    {
        let subject = "$JS.API.STREAM.\(verb).\(Subjects.eventStream)"
        let answers = try await connection.ask(subject, Array(question), until: .now + .seconds(10))
        return String(decoding: answers[0].data, as: UTF8.self)
    }

    /// Changes the configuration of the stream.
    private func set(_ name: String, to value: Any, over connection: NATSConnection) async throws {
        let found = try await ask("INFO", over: connection)
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(found.utf8)) as? [String: Any])
        var configuration = try #require(answer["config"] as? [String: Any])
        configuration[name] = value
        let updated = try await ask("UPDATE", JSONSerialization.data(withJSONObject: configuration), over: connection)
        #expect(updated.contains(#""config":"#), "\(updated)")
    }

    private func withBus(
        to server: NATSServer, _ timing: OutboxTiming = OutboxTiming(), _ body: (MessageBus) async throws -> Void
    ) async throws {
        var nats = NATSConfiguration(servers: [server.url])
        nats.outbox = timing
        try await withMessageBus(BusConfiguration(.nats(nats), instance: "test/1"), body)
    }

    private func withAdministrator(
        of address: String, _ body: (NATSConnection) async throws -> Void
    ) async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            try await withNATSConnection(NATSOptions(servers: [address], name: "administrator"), on: loop) {
                try await body($0)
            }
        }
    }
}
