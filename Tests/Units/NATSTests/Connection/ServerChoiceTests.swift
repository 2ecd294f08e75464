import Foundation
import PollLoop
import TestSupport
import Testing

@testable import NATS

/// Of several real servers, a connection chooses one that has found others.
@Suite(.timeLimit(.minutes(1))) struct ServerChoiceTests {
    /// Why the two others do not answer.
    enum Outage: CaseIterable {
        case killed, suspended
    }

    /// Runs `body` with three servers: one that has not found the others, and two that know each other.
    private func withServers(
        _ body: (_ isolated: NATSServer, _ pair: [NATSServer], PollLoop) async throws -> Void
    ) async throws {
        try await NATSServer.run { isolated in
            try await NATSServer.run { one in
                try await NATSServer.run { other in
                    // One route: servers that connect to each other at the same time may drop both connections.
                    let port = try NATSServer.freePort()
                    func cluster(_ port: Int, route: String = "") -> String {
                        "cluster { name: x, listen: \"127.0.0.1:\(port)\", routes: [\(route)] }\n"
                    }
                    try await isolated.start(settings: cluster(-1))
                    try await one.start(settings: cluster(port))
                    try await other.start(settings: cluster(-1, route: "\"nats://127.0.0.1:\(port)\""))
                    let loop = try PollLoop()
                    try await loop.withRunning {
                        try await connect(to: [isolated], on: loop) { lonely in
                            try await answer("isolated", to: "where", over: lonely)
                            try await connect(to: [one], on: loop) { first in
                                try await connect(to: [other], on: loop) { second in
                                    for (connection, name) in [(first, "one"), (second, "other")] {
                                        try await answer("pair", to: "where", over: connection)
                                        try await answer(name, to: name, over: connection)
                                    }
                                    // Each has found the other.
                                    let answers = try await (ask("other", over: first), ask("one", over: second))
                                    #expect(answers == ("other", "one"))
                                    try await body(isolated, [one, other], loop)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private func connect(
        to servers: [NATSServer], patiently: Bool = false, on loop: PollLoop,
        _ body: (NATSConnection) async throws -> Void
    ) async throws {
        var options = NATSOptions(servers: servers.map(\.url), name: "test/1")
        if patiently { (options.connectTimeout, options.peerWait) = (.seconds(60), .seconds(60)) }
        try await withNATSConnection(options, on: loop) { connection in
            for await change in await connection.changes() where change == .connected { break }
            try await body(connection)
        }
    }

    /// Fails unless a question over a connection to one of the servers arrives there.
    private func expect(
        _ text: String, to servers: [NATSServer], patiently: Bool = false, on loop: PollLoop
    ) async throws {
        try await connect(to: servers, patiently: patiently, on: loop) { connection in
            let place = try await ask("where", over: connection)
            #expect(place == text)
        }
    }

    /// Answers the questions to a subject.
    private func answer(_ text: String, to subject: String, over connection: NATSConnection) async throws {
        _ = try await connection.subscribe(subject) { arrival in
            guard case .message(let message) = arrival, let reply = message.reply else { return }
            connection.assumeIsolated { try? $0.publish(Array(text.utf8), to: reply) }
        }
        // The server knows the subscription when it has answered.
        #expect(await connection.makeRoundTrip(until: .now + .seconds(60)))
    }

    /// Asks until an answer comes: a server learns the subscriptions at its peers soon after it has found them.
    private func ask(_ subject: String, over connection: NATSConnection) async throws -> String {
        let (arrivals, arrival) = AsyncStream.makeStream(of: NATSConnection.Arrival.self)
        let inbox = "\(connection.inbox).\(subject)"
        _ = try await connection.subscribe(inbox) { arrival.yield($0) }
        try await connection.publish([], to: subject, reply: inbox)
        for await arrival in arrivals {
            if case .message(let message) = arrival { return String(decoding: message.data, as: UTF8.self) }
            try await connection.publish([], to: subject, reply: inbox)
        }
        throw CancellationError()
    }

    @Test func `a server that has not found its peers is avoided`() async throws {
        try await withServers { isolated, pair, loop in
            // The order in which servers are tried is random.
            for _ in 0..<20 { try await expect("pair", to: [isolated] + pair, patiently: true, on: loop) }
        }
    }

    @Test(arguments: Outage.allCases)
    func `a server that has not found its peers is used when no other answers`(outage: Outage) async throws {
        try await withServers { isolated, pair, loop in
            for server in pair { if outage == .killed { server.kill() } else { server.suspend() } }
            try await expect("isolated", to: [isolated] + pair, on: loop)
        }
    }
}
