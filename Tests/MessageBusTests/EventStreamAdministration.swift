import Foundation
import MessageBus
import NATS
import NATSDispatch
import PollLoop
import TestSupport
import Testing

/// Runs `body` with a connection that looks at the stream of events and changes it.
func withAdministrator(of address: String, _ body: (NATSConnection) async throws -> Void) async throws {
    let loop = try PollLoop()
    try await loop.withRunning {
        try await withNATSConnection(NATSOptions(servers: [address], name: "administrator"), on: loop) {
            try await body($0)
        }
    }
}

extension NATSConnection {
    /// Asks JetStream about the stream of events, or about one of its readers.
    func askStream(_ verb: String, of consumer: String? = nil, _ question: Data = Data()) async throws -> String {
        let stream = Subjects.eventStream
        let subject = consumer.map { "$JS.API.CONSUMER.\(verb).\(stream).\($0)" } ?? "$JS.API.STREAM.\(verb).\(stream)"
        let answers = try await ask(subject, Array(question), until: .now + .seconds(10))
        return String(decoding: answers[0].data, as: UTF8.self)
    }

    /// Changes the configuration of the stream.
    func setStream(_ name: String, to value: Any) async throws {
        let found = try await askStream("INFO")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(found.utf8)) as? [String: Any])
        var configuration = try #require(answer["config"] as? [String: Any])
        configuration[name] = value
        let updated = try await askStream("UPDATE", JSONSerialization.data(withJSONObject: configuration))
        #expect(updated.contains(#""config":"#), "\(updated)")
    }
}

extension NATSServer {
    func withBus(_ timing: OutboxTiming = OutboxTiming(), _ body: (MessageBus) async throws -> Void) async throws {
        var nats = NATSConfiguration(servers: [url])
        nats.outbox = timing
        try await withMessageBus(BusConfiguration(.nats(nats), instance: "test/1"), body)
    }
}
