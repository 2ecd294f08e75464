import Envelope
import Localization
import Majordomo
import Synchronization
import TestSupport
import Testing

@testable import MajordomoBus
@testable import MessageBus

@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    @Test(arguments: BusKind.allCases)
    func `a worker answers a request`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: { $0.envelope.payload }) { _ in
                    try await scene.withBus("client/1") { (bus) async throws in
                        #expect(try await bus.ask("echo", "안녕") == "안녕")
                    }
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `concurrent requests each get their own answer`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: { $0.envelope.payload }) { _ in
                    try await scene.withBus("client/1") { bus in
                        try await withThrowingTaskGroup(of: (Int, String).self) { group in
                            for number in 0..<100 {
                                group.addTask { (number, try await bus.ask("echo", "\(number)")) }
                            }
                            for try await (number, answer) in group { #expect(answer == "\(number)") }
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a service without a worker is unavailable`(kind: BusKind) async throws {
        try await BusScene.run(kind, timing: .brief) { scene in
            try await scene.withBroker {
                try await scene.withBus("client/1") { bus in
                    let failure = await #expect(throws: Failure.self) { try await bus.ask("nobody") }
                    #expect(failure?.code == .unavailable)
                    #expect(failure?.isRetryable == true)
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `without a broker the failure states the endpoint`(kind: BusKind)
        async throws
    {
        try await BusScene.run(kind, timing: .brief) { scene in
            try await scene.withBus("client/1") { bus in
                let failure = await #expect(throws: Failure.self) { try await bus.ask("echo") }
                #expect(failure?.code == .brokerLost)
                #expect(failure?.message.en.contains(scene.address) == true)
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `the deadline ends a request without an answer`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            let (release, held) = AsyncStream.makeStream(of: Void.self)
            try await scene.withBroker {
                let handler: @Sendable (IncomingRequest) async -> [UInt8] = { _ in
                    for await _ in release {}
                    return []
                }
                try await scene.withWorker("slow", instance: "slow/1", handler: handler) { _ in
                    try await scene.withBus("client/1") { bus in
                        let failure = await #expect(throws: Failure.self) {
                            try await bus.ask("slow", timeout: .milliseconds(100))
                        }
                        #expect(failure?.code == .timeout)
                    }
                    held.finish()
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a posted request is processed although its sender disconnects`(
        kind: BusKind
    ) async throws {
        try await BusScene.run(kind) { scene in
            let (received, isReceived) = AsyncStream.makeStream(of: String.self)
            let handler: @Sendable (IncomingRequest) async -> [UInt8] = { request in
                isReceived.yield(String(decoding: request.envelope.payload, as: UTF8.self))
                return []
            }
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: handler) { _ in
                    try await scene.withBus("client/1") { (bus) async throws in
                        // A connected sender; no later message flushes its last post.
                        try await bus.ping(deadline: .now + .seconds(10))
                        for number in 1...3 {
                            let request = BusRequest(
                                service: "echo", kind: "test.ask", trace: .root(), payload: Array("\(number)".utf8))
                            #expect(try await bus.post(request, deadline: .now + .seconds(10)))
                        }
                    }
                    #expect(await received.prefix(3).reduce(into: Set()) { $0.insert($1) } == ["1", "2", "3"])
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `the number of posted requests is bounded`(kind: BusKind) async throws {
        var timing = MajordomoTiming()
        // No request ends while others are posted, however busy the machine is.
        timing.brokerGrace = .seconds(60)
        try await BusScene.run(kind, timing: timing) { scene in
            try await scene.withBus("client/1") { bus in
                var posted = 0
                while try await bus.post(
                    BusRequest(service: "nobody", kind: "test.ask", trace: .root()), deadline: .now + .seconds(10)),
                    posted <= 1000
                { posted += 1 }
                #expect(posted == 500)
                let failure = await #expect(throws: Failure.self) { try await bus.ask("echo") }
                #expect(failure?.code == .overloaded)
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a cancelled caller gets a cancellation error`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBus("client/1") { bus in
                let result = await withTaskGroup(of: Result<String, any Error>.self) { group in
                    group.addTask { await Result { try await bus.ask("echo", timeout: .seconds(60)) } }
                    group.cancelAll()
                    return await group.next()
                }
                #expect(throws: CancellationError.self) { try result?.get() }
            }
        }
    }

    @Test func `a body that is not an envelope is answered with a failure`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: { $0.envelope.payload }) { _ in
                    try await scene.withBus("client/1") { bus in
                        // `inspect` sends frames unchanged to any service.
                        let reply = try await #require(bus.transport as? MajordomoTransport).inspect(
                            "echo", [[1, 2, 3]], deadline: .now + .seconds(10))
                        let header = try JSONBytes.decode(Header.self, from: Array(reply.status.utf8))
                        #expect(header.status == .failed)
                        #expect(header.failure?.code == .malformed)
                    }
                }
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
