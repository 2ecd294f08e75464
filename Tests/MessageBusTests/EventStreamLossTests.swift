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

    @Test func `two of three servers make no stream, and all three make one`() async throws {
        try await NATSServer.run { first in
            try await NATSServer.run { second in
                try await NATSServer.run { third in
                    let port = try NATSServer.freePort()
                    func settings(_ name: String, port own: Int = -1) -> String {
                        """
                        server_name: \(name)
                        cluster { name: x, listen: "127.0.0.1:\(own)", routes: ["nats://127.0.0.1:\(port)"] }
                        """
                    }
                    try await first.start(hasJetStream: true, settings: settings("first", port: port))
                    try await second.start(hasJetStream: true, settings: settings("second"))
                    try await withAdministrator(of: first.url) { connection in
                        let (attempts, arrival) = AsyncStream.makeStream(of: String.self)
                        _ = try await connection.subscribe("$JS.EVENT.ADVISORY.API") { received in
                            guard case .message(let message) = received else { return }
                            let text = String(decoding: message.data, as: UTF8.self)
                            if text.contains("$JS.API.STREAM.CREATE") { arrival.yield(text) }
                        }
                        try await withBus(to: first) { _ in
                            var attempt = attempts.makeAsyncIterator()
                            // More than an attempt to open the stream has time for.
                            for _ in 1...40 {
                                let text = try #require(await attempt.next())
                                try #require(text.contains("10005"), "\(text)")
                            }
                            try await third.start(hasJetStream: true, settings: settings("third"))
                            // While the servers elect leaders, questions are not answered.
                            while (try? await ask("INFO", over: connection))?.contains(#""num_replicas":3"#) != true {
                                try Task.checkCancellation()
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `a stream that has lost its last events goes on, and a reader repeats none`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await withBus(to: server) { bus in
                let stream = try await bus.subscribe()
                func wait(for wanted: ConnectionChange) async throws {
                    while true {
                        let arrival = try await stream.next(until: .now + .seconds(30))
                        if case .connection(let change) = arrival, change == wanted { return }
                    }
                }
                func restart(_ change: () throws -> Void) async throws {
                    server.signal(SIGTERM)
                    try await wait(for: .lost)
                    while server.isRunning { await Task.yield() }
                    try change()
                    try await server.start(hasJetStream: true)
                    try await wait(for: .restored(missed: 0))
                }
                func expect(_ numbers: Int...) async throws {
                    for number in numbers { bus.publish(.numbered(number)) }
                    for number in numbers {
                        let arrival = try await stream.next()
                        #expect(arrival?.0.event.number == number && arrival?.lost == 0)
                    }
                }
                let (files, copy) = (server.folder + "/jetstream", server.folder + "/copy")
                try await expect(1, 2, 3)
                try await restart { try FileManager.default.copyItem(atPath: files, toPath: copy) }
                try await expect(4, 5)
                try await restart {
                    try FileManager.default.removeItem(atPath: files)
                    try FileManager.default.moveItem(atPath: copy, toPath: files)
                }
                // The sequences of 4 and 5 are used again.
                try await expect(6)
                await stream.close()
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

    @Test func `a stream opens although its request is lost`() async throws {
        try await openWithLostRequest { _, _ in }
    }

    @Test func `a stream opens although its reader ends meanwhile`() async throws {
        try await openWithLostRequest { (connection, lost) async throws in
            #expect(try await ask("DELETE", of: lost.consumer, over: connection).contains(#""success":true"#))
        }
    }

    @Test func `what an earlier reader still delivers makes no gap`() async throws {
        try await openWithLostRequest { (connection, lost) async throws in
            let configuration = #"{"name":"earlier","deliver_policy":"last","ack_policy":"none"}"#
            let question = #"{"stream_name":"\#(Subjects.eventStream)","config":\#(configuration)}"#
            let made = try await ask("CREATE", of: "earlier", Data(question.utf8), over: connection)
            #expect(made.contains(#""name":"earlier""#))
            let next = "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.eventStream).earlier"
            try await connection.publish([], to: next, reply: lost.inbox)
            while try await ask("INFO", of: "earlier", over: connection).contains(#""num_pending":1"#) {}
        }
    }

    /// Opens a stream whose first request for events the server loses; `body` runs before the next one.
    private func openWithLostRequest(
        _ body: (NATSConnection, (consumer: String, inbox: String)) async throws -> Void
    ) async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await withBus(to: server) { bus in
                try await bus.subscribe().close()
                for number in 1...3 { bus.publish(.numbered(number)) }
                #expect(try await numbers(over: bus, upTo: 3) == [1, 2, 3])
                try await withAdministrator(of: server.url) { connection in
                    let (losses, arrival) = AsyncStream.makeStream(of: (consumer: String, inbox: String).self)
                    _ = try await connection.subscribe("lost.*") { received in
                        guard case .message(let message) = received, let inbox = message.reply else { return }
                        arrival.yield((String(message.subject.dropFirst("lost.".count)), inbox))
                    }
                    let requests = "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.eventStream).*"
                    try server.reload(
                        settings: "mappings { \"\(requests)\": \"lost.$1\", reloaded: \"$JS.API.INFO\" }")
                    // Without the mapping this subject has no responders, which is an error.
                    while (try? await connection.ask("reloaded", [], until: .now + .seconds(10))) == nil {}
                    async let numbers = numbers(over: bus, upTo: 3)
                    var loss = losses.makeAsyncIterator()
                    let lost = try #require(await loss.next())
                    try server.reload(settings: "")
                    while (try? await connection.ask("reloaded", [], until: .now + .seconds(10))) != nil {}
                    try await body(connection, lost)
                    #expect(try await numbers == [1, 2, 3])
                }
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

    /// Asks JetStream about the stream of events, or about one of its readers.
    private func ask(
        _ verb: String, of consumer: String? = nil, _ question: Data = Data(), over connection: NATSConnection
    ) async throws -> String {
        let stream = Subjects.eventStream
        let subject = consumer.map { "$JS.API.CONSUMER.\(verb).\(stream).\($0)" } ?? "$JS.API.STREAM.\(verb).\(stream)"
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
