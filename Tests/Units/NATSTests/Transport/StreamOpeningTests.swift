import Envelope
import Foundation
import MessageBus
import TestSupport
import Testing

@testable import NATS

/// How the streams on NATS are made, and how a reader opens the one of events.
@Suite(.timeLimit(.minutes(1))) struct StreamOpeningTests {
    @Test func `a process that publishes nothing makes the stream`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await withAdministrator(of: server.url) { connection in
                #expect(try await connection.askStream("INFO").contains(#""code":404"#))
                try await server.withBus { _ in
                    while try await connection.askStream("INFO").contains(#""code":404"#) {}
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
                        try await first.withBus { _ in
                            var attempt = attempts.makeAsyncIterator()
                            // More than an attempt to open the stream has time for.
                            for _ in 1...40 {
                                let text = try #require(await attempt.next())
                                try #require(text.contains("10005"), "\(text)")
                            }
                            try await third.start(hasJetStream: true, settings: settings("third"))
                            // While the servers elect leaders, questions are not answered.
                            while (try? await connection.askStream("INFO"))?.contains(#""num_replicas":3"#) != true {
                                try Task.checkCancellation()
                            }
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [(Subjects.claimStream, "STREAM.MSG.GET"), (Subjects.eventStream, "CONSUMER.CREATE")])
    func `nothing is read from a stream that is still being made`(stream: String, reading: String) async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await server.useStreams()
            try await withAdministrator(of: server.url) { connection in
                let question = "$JS.API.STREAM.INFO.\(stream)"
                let info = try await connection.ask(question, [], until: .now + .seconds(10))[0].data
                // What nats-server 2.9 answers then.
                let early = String(decoding: info, as: UTF8.self)
                    .replacing(/"created":"[^"]+"/, with: #""created":"0001-01-01T00:00:00Z""#)
                let (arrivals, arrival) = AsyncStream.makeStream(of: NATSMessage.self)
                for subject in ["info", "$JS.API.\(reading).\(stream)"] {
                    _ = try await connection.subscribe(subject) { received in
                        if case .message(let message) = received { arrival.yield(message) }
                    }
                }
                try await server.map([question: "info"])
                async let used: Void = server.useStreams()
                var questions = 0
                for await message in arrivals {
                    guard message.subject == "info", let inbox = message.reply else { break }
                    questions += 1
                    try await connection.publish(questions < 5 ? Array(early.utf8) : info, to: inbox)
                }
                #expect(questions >= 5)
                try await used
            }
        }
    }

    @Test func `readers that are left over cannot grow beyond the limit of the stream`() async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await server.useStreams()
            try await withAdministrator(of: server.url) { connection in
                let reader = Data(
                    #"{"stream_name":"\#(Subjects.eventStream)","config":{"ack_policy":"none","inactive_threshold":300000000000}}"#
                        .utf8)
                func make() async throws -> String {
                    let subject = "$JS.API.CONSUMER.CREATE.\(Subjects.eventStream)"
                    let answers = try await connection.ask(subject, Array(reader), until: .now + .seconds(10))
                    return String(decoding: answers[0].data, as: UTF8.self)
                }
                var (made, answer) = (0, try await make())
                while made < 300, !answer.contains(#""error""#) {
                    made += 1
                    answer = try await make()
                }
                #expect(made <= 256 && answer.contains("maximum consumers limit"), "\(made): \(answer)")
            }
        }
    }

    @Test func `a stream opens although its request is lost`() async throws {
        try await openWithLostRequest { _, _ in }
    }

    @Test func `a stream opens although its reader ends meanwhile`() async throws {
        try await openWithLostRequest { (connection, lost) async throws in
            #expect(try await connection.askStream("DELETE", of: lost.consumer).contains(#""success":true"#))
        }
    }

    @Test func `what an earlier reader still delivers makes no gap`() async throws {
        try await openWithLostRequest { (connection, lost) async throws in
            let configuration = #"{"name":"earlier","deliver_policy":"last","ack_policy":"none"}"#
            let question = #"{"stream_name":"\#(Subjects.eventStream)","config":\#(configuration)}"#
            let made = try await connection.askStream("CREATE", of: "earlier", Data(question.utf8))
            #expect(made.contains(#""name":"earlier""#))
            let next = "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.eventStream).earlier"
            try await connection.publish([], to: next, reply: lost.inbox)
            while try await connection.askStream("INFO", of: "earlier").contains(#""num_pending":1"#) {}
        }
    }

    /// Opens a stream whose first request for events the server loses; `body` runs before the next one.
    private func openWithLostRequest(
        _ body: (NATSConnection, (consumer: String, inbox: String)) async throws -> Void
    ) async throws {
        try await NATSServer.run { server in
            try await server.start(hasJetStream: true)
            try await server.withBus { bus in
                try await bus.subscribe().close()
                for number in 1...3 { bus.publish(.numbered(number)) }
                #expect(try await bus.numbers(upTo: 3) == [1, 2, 3])
                try await withAdministrator(of: server.url) { connection in
                    let (losses, arrival) = AsyncStream.makeStream(of: (consumer: String, inbox: String).self)
                    _ = try await connection.subscribe("lost.*") { received in
                        guard case .message(let message) = received, let inbox = message.reply else { return }
                        arrival.yield((String(message.subject.dropFirst("lost.".count)), inbox))
                    }
                    let requests = "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.eventStream).*"
                    try await server.map([requests: "lost.$1"])
                    async let numbers = bus.numbers(upTo: 3)
                    var loss = losses.makeAsyncIterator()
                    let lost = try #require(await loss.next())
                    try await server.map([:])
                    try await body(connection, lost)
                    #expect(try await numbers == [1, 2, 3])
                }
            }
        }
    }
}
