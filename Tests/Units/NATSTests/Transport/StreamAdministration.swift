import Envelope
import Foundation
import MessageBus
import PollLoop
import TestSupport
import Testing

@testable import NATS

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
    /// Lets the server turn requests for some subjects into requests for others.
    ///
    /// Connections must be idle: nats-server 2.9 may miss the change on one that sends meanwhile.
    func map(_ subjects: [String: String]) async throws {
        let lines = subjects.map { "\"\($0)\": \"\($1)\"" }
        try await reload(settings: "mappings { \(lines.joined(separator: ", ")) }")
    }

    /// Runs a worker, which needs the stream of names, until a request reaches it, and a reader of the stream of events.
    func useStreams() async throws {
        try await withBus { bus in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await bus.worker(BusWorkerOptions(service: "store", capacity: 1)).serve { request in
                        Envelope(header: request.envelope.header, payload: [])
                    }
                }
                try await bus.subscribe().close()
                #expect(try await bus.ask("store", timeout: .seconds(20)) == "")
                group.cancelAll()
            }
        }
    }

    func withBus(_ timing: OutboxTiming = OutboxTiming(), _ body: (MessageBus) async throws -> Void) async throws {
        var nats = NATSConfiguration(servers: [url])
        nats.outbox = timing
        try await withMessageBus(BusConfiguration(nats, instance: "test/1"), body)
    }
}
