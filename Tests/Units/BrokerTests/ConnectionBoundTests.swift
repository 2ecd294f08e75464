import Contracts
import Envelope
import Foundation
import Majordomo
import ProcessKit
import Synchronization
import TestSupport
import Testing

@testable import BrokerCore
@testable import MajordomoBus
@testable import MessageBus

/// Peers that use too many of the broker's descriptors or too much of its memory, over real sockets.
@Suite(.timeLimit(.minutes(2)), .serialized) struct ConnectionBoundTests {
    private static let maxConnections = 64

    @Test(arguments: [false, true])
    func `idle connections beyond the bound are ended and no request in flight is lost`(overTCP: Bool) async throws {
        try await NetworkScene.run(isInsecure: true, maxConnections: Self.maxConnections) { scene in
            let (releases, release) = AsyncStream.makeStream(of: Void.self)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let handler: @Sendable (IncomingRequest) async -> [UInt8] = { request in
                begin.yield()
                for await _ in releases { break }
                return request.envelope.payload
            }
            try await scene.local.withWorker("echo", instance: "echo/1", handler: handler) { _ in
                try await scene.local.withBus("client/1") { bus in
                    async let answer = bus.ask("echo", "안녕", timeout: .seconds(60), isIdempotent: false)
                    for await _ in begun { break }
                    var descriptors: [Int32] = []
                    defer { for descriptor in descriptors { close(descriptor) } }
                    for number in 0..<(8 * Self.maxConnections) {
                        let endpoints = overTCP ? scene.endpoints : scene.local.endpoints
                        let endpoint = [endpoints.requests, endpoints.eventsIn, endpoints.events][number % 3]
                        descriptors.append(try RawConnection.open(endpoint))
                    }
                    try await bus.ping(deadline: .now + .seconds(10))
                    _ = try await scene.status(of: bus) {
                        $0.endedConnections["too_many", default: 0] > 0 && $0.connections <= Self.maxConnections
                    }
                    release.yield()
                    #expect(try await answer == "안녕")
                }
            }
        }
    }

    #if os(Linux)
        @Test(arguments: ["DEALER", "PUSH"])
        func `a message without an end ends its connection`(kind: String) async throws {
            try await NetworkScene.run(isInsecure: true) { scene in
                let endpoint = kind == "PUSH" ? scene.endpoints.eventsIn : scene.endpoints.requests
                try await scene.local.withBus("client/1") { bus in
                    try await bus.ping(deadline: .now + .seconds(10))
                    let isEnded = try await runBlocking {
                        let descriptor = try RawConnection.open(endpoint)
                        defer { close(descriptor) }
                        return try !Self.sendUnfinishedMessage(of: 2000, kind, over: descriptor)
                    }
                    #expect(isEnded, "two gigabytes were taken")
                    _ = try await scene.status(of: bus) { $0.endedConnections == ["unfinished_message": 1] }
                }
            }
        }

        /// On a busy machine libzmq's thread reads long before the broker does.
        @Test func `what arrives before the broker reads belongs to a message without an end`() async throws {
            let descriptor = Mutex<Int32>(-1)
            defer { _ = descriptor.withLock { close($0) } }
            try await NetworkScene.run(isInsecure: true) { endpoints in
                do {
                    let isSent = try await runBlocking {
                        let opened = try RawConnection.open(endpoints.eventsIn)
                        descriptor.withLock { $0 = opened }
                        return try Self.sendUnfinishedMessage(of: 64, "PUSH", over: opened)
                    }
                    #expect(isSent)
                } catch {
                    Issue.record(error)
                }
            } _: { scene in
                try await scene.local.withBus("client/1") { bus in
                    _ = try await scene.status(of: bus) { $0.endedConnections == ["unfinished_message": 1] }
                }
            }
        }

        /// Returns false when the connection ends before the last megabyte.
        private static func sendUnfinishedMessage(
            of megabytes: Int, _ kind: String, over descriptor: Int32
        ) throws -> Bool {
            try #require(RawConnection.introduce(kind, over: descriptor))
            let frame = RawConnection.frame([UInt8](repeating: 7, count: 1 << 20), more: true)
            return (1...megabytes).allSatisfy { _ in RawConnection.sendAll(frame, over: descriptor) }
        }
    #endif

    @Test func `many large complete messages do not end a connection`() async throws {
        try await NetworkScene.run(isInsecure: true) { scene in
            let endpoint = scene.endpoints.requests
            let isAnswered = try await runBlocking {
                let descriptor = try RawConnection.open(endpoint)
                defer { close(descriptor) }
                try #require(RawConnection.introduce("DEALER", over: descriptor))
                let words = [Array("MDPC02".utf8), [1], Array("mmi.ping".utf8), [UInt8](repeating: 7, count: 3 << 20)]
                let message = words.enumerated().flatMap { RawConnection.frame($1, more: $0 < words.count - 1) }
                // RFC 18's reply: header, command, service and "200".
                let reply = 4 * 2 + 6 + 1 + 8 + 3
                let isSent = (1...64).allSatisfy { _ in RawConnection.sendAll(message, over: descriptor) }
                return isSent && RawConnection.read(64 * reply, from: descriptor) != nil
            }
            #expect(isAnswered)
            try await scene.local.withBus("client/1") { bus in
                let status = try await scene.status(of: bus) { _ in true }
                #expect(status.endedConnections.isEmpty, "\(status)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a client that does not read its replies loses its connection`(overTCP: Bool) async throws {
        try await NetworkScene.run(isInsecure: true) { scene in
            try await scene.local.withBus("client/1") { bus in
                for number in 0..<150 {
                    bus.publish(
                        Event(
                            at: 0, kind: "test.large", source: "test/1",
                            attributes: [
                                "text": .text(String(repeating: "x", count: 60_000)), "number": .number(number),
                            ]))
                }
                while try await #require(bus.transport as? MajordomoTransport).inspect(
                    "mmi.events", [Array("140".utf8)], deadline: .now + .seconds(20)
                ).frames
                    .count < 3
                {}
                let descriptor = try RawConnection.open((overTCP ? scene.endpoints : scene.local.endpoints).requests)
                defer { close(descriptor) }
                try #require(RawConnection.introduce("DEALER", over: descriptor))
                let words = ["MDPC02", "\u{1}", "mmi.events", "1"].map { Array($0.utf8) }
                let question = words.enumerated().flatMap { RawConnection.frame($1, more: $0 < words.count - 1) }
                // A page has a megabyte.
                for _ in 1...1000 where !RawConnection.sendAll(question, over: descriptor) { break }
                let status = try await scene.status(of: bus) { !$0.endedConnections.isEmpty }
                #expect(status.endedConnections == ["unread": 1], "\(status)")
            }
        }
    }
}
