import Foundation
import PollLoop
import Synchronization
import TestSupport
import Testing

@testable import NATS

/// A connection on a poll loop, with a real server.
@Suite(.timeLimit(.minutes(1))) struct NATSConnectionTests {
    private typealias Arrivals = AsyncStream<NATSConnection.Arrival>

    private func withConnection(
        to server: NATSServer, _ body: (NATSConnection) async throws -> Void
    ) async throws {
        let loop = try PollLoop()
        let isUp = server.isRunning
        try await loop.withRunning {
            try await withNATSConnection(NATSOptions(servers: [server.url], name: "test/1"), on: loop) { connection in
                if isUp { await wait(for: .connected, of: connection) }
                try await body(connection)
            }
        }
    }

    private func arrivals(
        of subject: String, queue: String? = nil, over connection: NATSConnection
    ) async throws -> Arrivals {
        let (stream, continuation) = Arrivals.makeStream()
        _ = try await connection.subscribe(subject, queue: queue) { continuation.yield($0) }
        return stream
    }

    private func first(_ arrivals: Arrivals) async throws -> NATSMessage {
        for await arrival in arrivals {
            if case .message(let message) = arrival { return message }
        }
        throw CancellationError()
    }

    private func wait(for change: NATSConnection.Change, of connection: NATSConnection) async {
        for await next in await connection.changes() where next == change { return }
    }

    @Test func `a request is received with its reply subject, and answered`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { worker in
                try await withConnection(to: server) { client in
                    _ = try await worker.subscribe("echo") { arrival in
                        guard case .message(let message) = arrival, let reply = message.reply else { return }
                        worker.assumeIsolated { try? $0.publish(message.data + message.data, to: reply) }
                    }
                    // The server knows the subscription when it has answered a later message of the same connection.
                    let known = try await arrivals(of: "known", over: worker)
                    try await worker.publish([], to: "known")
                    _ = try await first(known)
                    let answers = try await arrivals(of: "inbox.*", over: client)
                    try await client.publish(
                        [1, 2], to: "echo", reply: "inbox.7", headers: [("traceparent", "00-1-1-01")])
                    let answer = try await first(answers)
                    #expect(answer.subject == "inbox.7" && answer.data == [1, 2, 1, 2] && answer.reply == nil)
                }
            }
        }
    }

    @Test func `of a queue group one receives each message`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                let (stream, continuation) = AsyncStream.makeStream(of: UInt8.self)
                for _ in 0..<3 {
                    _ = try await connection.subscribe("work", queue: "workers") { arrival in
                        if case .message(let message) = arrival { continuation.yield(message.data[0]) }
                    }
                }
                for number in 0..<200 { try await connection.publish([UInt8(number)], to: "work") }
                var seen: [UInt8] = []
                for await number in stream {
                    seen.append(number)
                    if seen.count == 200 { break }
                }
                #expect(Set(seen).count == 200)
            }
        }
    }

    @Test func `a subject without subscribers is reported to the request's own subscription`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                let own = try await arrivals(of: "inbox.1", over: connection)
                try await connection.publish([1], to: "nobody", reply: "inbox.1")
                for await arrival in own {
                    #expect(arrival == .noResponders)
                    break
                }
            }
        }
    }

    @Test func `more messages than a batch arrive in order`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                let stream = try await arrivals(of: "many", over: connection)
                for number in 0..<1000 { try await connection.publish(Array("\(number)".utf8), to: "many") }
                var next = 0
                for await arrival in stream {
                    guard case .message(let message) = arrival else { continue }
                    #expect(message.data == Array("\(next)".utf8))
                    next += 1
                    if next == 1000 { break }
                }
            }
        }
    }

    @Test func `a message over the server's limit is refused before it is sent`() async throws {
        try await NATSServer.run { server in
            try await server.start(maxPayload: 1000)
            try await withConnection(to: server) { connection in
                await wait(for: .connected, of: connection)
                let maxPayload = await connection.maxPayload
                #expect(maxPayload == 1000)
                let error = await #expect(throws: NATSError.self) {
                    try await connection.publish(Array(repeating: 0, count: 1001), to: "a")
                }
                #expect(error?.code == .tooLarge)
                let stream = try await arrivals(of: "a", over: connection)
                try await connection.publish(Array(repeating: 7, count: 1000), to: "a")
                let received = try await first(stream)
                #expect(received.data.count == 1000)
            }
        }
    }

    @Test func `subscriptions survive a server that is killed and started again`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                let stream = try await arrivals(of: "a", over: connection)
                for round in 1...3 {
                    server.kill()
                    await wait(for: .disconnected, of: connection)
                    let error = await #expect(throws: NATSError.self) { try await connection.publish([0], to: "a") }
                    #expect(error?.code == .disconnected)
                    try await server.start()
                    await wait(for: .connected, of: connection)
                    try await connection.publish([UInt8(round)], to: "a")
                    let message = try await first(stream)
                    #expect(message.data == [UInt8(round)])
                }
            }
        }
    }

    @Test func `a connection waits for a server that is not there yet`() async throws {
        try await NATSServer.run { server in
            // The port of a server that has ended.
            try await server.start()
            server.kill()
            try await withConnection(to: server) { connection in
                let isConnected = await connection.isConnected
                #expect(!isConnected)
                try await server.start()
                await wait(for: .connected, of: connection)
                let stream = try await arrivals(of: "a", over: connection)
                try await connection.publish([9], to: "a")
                let message = try await first(stream)
                #expect(message.data == [9])
            }
        }
    }

    @Test func `a server that stops answering counts as lost`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                server.suspend()
                await wait(for: .disconnected, of: connection)
                server.signal(SIGCONT)
                await wait(for: .connected, of: connection)
            }
        }
    }

    @Test func `of several servers one that answers is used`() async throws {
        try await NATSServer.run { server in
            try await NATSServer.run { other in
                try await server.start()
                try await other.start()
                let loop = try PollLoop()
                try await loop.withRunning {
                    let options = NATSOptions(servers: [server.url, other.url], name: "test/1")
                    try await withNATSConnection(options, on: loop) { connection in
                        for lost in [server, other] {
                            lost.kill()
                            let stream = try await arrivals(of: "a", over: connection)
                            await wait(for: .connected, of: connection)
                            // The connection that was reported may be that to the lost server.
                            while (try? await connection.publish([1], to: "a")) == nil {
                                try Task.checkCancellation()
                                await Task.yield()
                            }
                            let message = try await first(stream)
                            #expect(message.data == [1])
                            try await lost.start()
                        }
                    }
                }
            }
        }
    }

    @Test func `what is published last is sent, also after a cancellation`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { receiver in
                let stream = try await arrivals(of: "last", over: receiver)
                let known = try await arrivals(of: "known", over: receiver)
                try await receiver.publish([], to: "known")
                _ = try await first(known)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try? await withConnection(to: server) { sender in
                            withUnsafeCurrentTask { $0?.cancel() }
                            for number in 0..<100 { try await sender.publish([UInt8(number)], to: "last") }
                        }
                    }
                }
                for number in 0..<100 {
                    let message = try await first(stream)
                    #expect(message.data == [UInt8(number)])
                }
            }
        }
    }

    @Test func `a receiver may end subscriptions, its own and others`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                let (done, isDone) = AsyncStream.makeStream(of: Int.self)
                let ids = Subscriptions()
                for number in 0..<20 {
                    let id = try await connection.subscribe("all") { _ in
                        isDone.yield(number)
                        connection.assumeIsolated { connection in
                            for id in ids.list.withLock({ $0 }) { connection.unsubscribe(id) }
                        }
                    }
                    ids.list.withLock { $0.append(id) }
                }
                for _ in 0..<10 { try await connection.publish([1], to: "all") }
                var seen = 0
                for await _ in done {
                    seen += 1
                    break
                }
                let stream = try await arrivals(of: "after", over: connection)
                try await connection.publish([2], to: "after")
                let message = try await first(stream)
                #expect(message.data == [2] && seen == 1)
            }
        }
    }

    @Test(arguments: [[], [""]])
    func `without the address of a server there is no connection`(servers: [String]) async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            _ = await #expect(throws: NATSError.self) {
                try await withNATSConnection(NATSOptions(servers: servers, name: "x"), on: loop) { _ in }
            }
        }
    }

    @Test func `a subject that no message can have is refused`() async throws {
        try await NATSServer.run { server in
            try await server.start()
            try await withConnection(to: server) { connection in
                for subject in ["", "a b", "a..b", ".a"] {
                    _ = await #expect(throws: NATSError.self) { try await connection.subscribe(subject) { _ in } }
                }
            }
        }
    }
}

private final class Subscriptions: Sendable {
    let list = Mutex<[UInt64]>([])
}
