import Assembly
import Envelope
import Localization
import Logging
import MessageBus
import ProcessKit
import ServiceKit
import TestSupport
import Testing

@testable import GatewayCore

/// `gateway stats` beside a real broker and real workers.
@Suite(.timeLimit(.minutes(1))) struct StatsCommandTests {
    private struct Report: Decodable {
        struct Service: Decodable {
            let name: String
            let traffic: ServiceTraffic?
            let instances: [ServiceStats]
            let missing: [Missing]
        }
        struct Missing: Decodable {
            let id: String
            let failure: Failure
        }
        let broker: ServiceStats?
        let complete: Bool
        let services: [Service]
    }

    private func report(_ bus: MessageBus, _ subject: String?, seconds: Int = 20) async throws -> Report {
        let commands = GatewayCommands(
            bus: bus, presentation: Samples.presentation(isJSON: true), deadline: .now + .seconds(seconds),
            policy: AnswerPolicy())
        return try JSONBytes.decode(Report.self, from: await commands.stats(of: subject).output)
    }

    /// Runs `count` workers of a service while the body runs, once the broker knows them all.
    private func withWorkers(
        _ count: Int, of service: String, _ scene: BusScene, handler: @escaping WorkerService.Handler,
        _ body: (MessageBus) async throws -> Void
    ) async throws {
        try await scene.withBroker {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...count {
                    group.addTask {
                        try await scene.withBus("\(service)/\(number)") { bus in
                            try await WorkerService(
                                BusWorkerOptions(service: service, capacity: 2), bus: bus,
                                logger: Logger(label: "test"), handler: handler
                            ).run()
                        }
                    }
                }
                try await scene.withBus("client/1") { bus in
                    while try await workers(bus, service) < count { await Task.yield() }
                    try await body(bus)
                }
                group.cancelAll()
            }
        }
    }

    private func workers(_ bus: MessageBus, _ service: String) async throws -> Int {
        let traffic = try #require(try await bus.brokerStats(deadline: .now + .seconds(10))).services
        return traffic.first { $0.name == service }?.workers ?? 0
    }

    @Test func `every worker reports its own figures, and the broker the totals`() async throws {
        try await BusScene.run { scene in
            try await withWorkers(4, of: "echo", scene, handler: { _ in ServiceAnswer() }) { bus in
                for _ in 0..<8 { _ = try await bus.ask("echo") }
                let report = try await report(bus, "echo")
                let service = try #require(report.services.first)
                #expect(report.complete && report.broker == nil && report.services.count == 1)
                #expect(service.instances.map(\.id) == (1...4).map { "echo/\($0)" })
                #expect(service.instances.map(\.requests) == [2, 2, 2, 2], "least recently used comes first")
                #expect(service.instances.allSatisfy { $0.latency.count == 2 && $0.version == ProductVersion.current })
                let traffic = try #require(service.traffic)
                #expect((traffic.workers, traffic.requests, traffic.answered, traffic.queueDepth) == (4, 8, 8, 0))
                #expect(traffic.latency.count == 8 && traffic.latency.p50Microseconds != nil)
            }
        }
    }

    @Test func `one worker is selected among many, whichever is asked first`() async throws {
        try await BusScene.run { scene in
            try await withWorkers(3, of: "echo", scene, handler: { _ in ServiceAnswer() }) { bus in
                for number in 1...3 {
                    let report = try await report(bus, "echo/\(number)")
                    #expect(report.services.flatMap(\.instances).map(\.id) == ["echo/\(number)"])
                }
            }
        }
    }

    @Test func `a worker at its capacity is named as missing, and the others report`() async throws {
        try await BusScene.run { scene in
            let (release, held) = AsyncStream.makeStream(of: Void.self)
            let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
            let handler: WorkerService.Handler = { request in
                // Least recently used first: of four requests to two workers, each gets two.
                if request.envelope.payload == Array("wait".utf8) {
                    hasBegun.yield()
                    for await _ in release {}
                }
                return ServiceAnswer()
            }
            try await withWorkers(2, of: "echo", scene, handler: handler) { bus in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    var begun = began.makeAsyncIterator()
                    for word in ["wait", "go", "wait"] {
                        // One after the other: the first and the third go to the same worker, which is full then.
                        group.addTask { _ = try await bus.ask("echo", word, timeout: .seconds(20)) }
                        if word == "wait" { await begun.next() } else { try await group.next() }
                    }
                    let report = try await report(bus, "echo")
                    let service = try #require(report.services.first)
                    #expect(!report.complete && service.instances.count == 1 && service.missing.count == 1)
                    #expect(service.instances.first?.id != service.missing.first?.id)
                    #expect(service.missing.first?.failure.message.ko.contains("2/2") == true)
                    held.finish()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `failures show in the worker's figures, refusals in the broker's`() async throws {
        try await BusScene.run(timing: .brief) { scene in
            let failure = Failure(.malformed, LocalizedText(ko: "가", en: "b"), isRetryable: false)
            try await withWorkers(1, of: "echo", scene, handler: { _ in throw failure }) { bus in
                _ = try await bus.ask("echo")
                await #expect(throws: Failure.self) { try await bus.ask("nobody") }
                let echo = try #require(try await report(bus, "echo").services.first?.instances.first)
                #expect(echo.errors == ["malformed": 1] && echo.lastError?.message == failure.message)
                let broker = try #require(try await report(bus, "broker").broker)
                #expect(broker.errors == ["unavailable": 1] && broker.lastError?.code == .unavailable)
                #expect(broker.name == "broker" && broker.id == "broker/1" && broker.version == ProductVersion.current)
                #expect(broker.queueDepth == 0)
            }
        }
    }

    @Test func `the broker identifies itself in the same form as a service`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("client/1") { bus in
                    let deadline = ContinuousClock.now + .seconds(10)
                    try await bus.ping(deadline: deadline)
                    let stats = try #require(try await bus.brokerStats(deadline: deadline)).broker
                    #expect((stats.name, stats.id) == ("broker", "broker/1"))
                }
            }
        }
    }
}
