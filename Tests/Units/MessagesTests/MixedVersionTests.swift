import Assembly
import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore
@testable import MajordomoBus
@testable import MessageBus

/// Programs of different versions at a real broker.
@Suite(.timeLimit(.minutes(1))) struct MixedVersionTests {
    private func header(schema: String) -> [UInt8] {
        Array(
            #"{"kind":"test.ask","query":"00000000000000a1","schema":"\#(schema)","sender":"x/1","shard":7,"traceparent":"\#(TraceParent(query: 0xa1, call: 0xb2))"}"#
                .utf8)
    }

    @Test(arguments: ["2.0", "0.9", "10.3"])
    func `a worker refuses another major version in plain words, and counts it`(schema: String) async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: { $0.envelope.payload }) { worker in
                    try await scene.withBus("client/1") { bus in
                        // `inspect` sends unchanged frames to any service.
                        let reply = try await #require(bus.transport as? MajordomoTransport).inspect(
                            "echo", [header(schema: schema), []], deadline: .now + .seconds(10))
                        let answer = try Envelope(frames: ([Array(reply.status.utf8)] + reply.frames)[...])
                        #expect(answer.header.status == .failed)
                        let failure = try #require(answer.header.failure)
                        #expect(failure.code == .unsupportedVersion && !failure.isRetryable)
                        for text in [failure.message.ko, failure.message.en] {
                            #expect(text.contains(schema) && text.contains("\(SchemaVersion.current)"))
                        }
                        #expect(worker.failures == [.unsupportedVersion: 1])
                    }
                }
            }
        }
    }

    @Test func `a later minor version with unknown fields is served`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withWorker("echo", instance: "echo/1", handler: { $0.envelope.payload }) { worker in
                    try await scene.withBus("client/1") { bus in
                        let reply = try await #require(bus.transport as? MajordomoTransport).inspect(
                            "echo", [header(schema: "1.99"), Array("안녕".utf8)], deadline: .now + .seconds(10))
                        #expect(reply.frames == [Array("안녕".utf8)])
                        #expect(worker.failures.isEmpty)
                    }
                }
            }
        }
    }

    @Test func `the error of a caller states that the answer has another major version`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await withFutureWorker("echo", scene) { bus in
                    let failure = await #expect(throws: Failure.self) { try await bus.ask("echo") }
                    #expect(failure?.code == .unsupportedVersion)
                }
            }
        }
    }

    @Test(arguments: [(Language.ko, "모든 프로그램을 같은 판으로 맞추세요"), (.en, "Bring all programs to the same release")])
    func `the message of the gateway states a remedy`(language: Language, advice: String) async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await withFutureWorker("detail-fetcher", scene) { bus in
                    let presentation = Presentation(
                        isJSON: false, language: language,
                        style: TextStyle(isTerminal: false, isUnwanted: true, Environment([:])), now: 0)
                    let commands = GatewayCommands(
                        bus: bus, presentation: presentation, deadline: .now + .seconds(20),
                        policy: AnswerPolicy(isRefresh: true))
                    let answer = try await commands.movie(.code("20199882"), on: Day(daysSinceEpoch: 18_997))
                    #expect(answer.exitStatus == ExitStatus.software && answer.output.isEmpty)
                    let note = try #require(answer.notes.first)
                    #expect(note.contains("2.0") && note.contains(advice))
                }
            }
        }
    }

    @Test func `an answer with an unknown status is not taken for a good one`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await withFutureWorker("detail-fetcher", scene, schema: .current, status: "partial") { bus in
                    let presentation = Presentation(
                        isJSON: true, language: .ko,
                        style: TextStyle(isTerminal: false, isUnwanted: true, Environment([:])), now: 0)
                    let commands = GatewayCommands(
                        bus: bus, presentation: presentation, deadline: .now + .seconds(20),
                        policy: AnswerPolicy(isRefresh: true))
                    let output = String(
                        decoding: try await commands.movie(.code("20199882"), on: Day(daysSinceEpoch: 18_997)).output,
                        as: UTF8.self)
                    #expect(output.contains(#""complete":false"#) && output.contains("unsupported_version"))
                    #expect(output.contains("partial") && output.contains("detail-fetcher/1"))
                }
            }
        }
    }

    /// Runs a worker that answers with a header of another version, or with another status.
    private func withFutureWorker(
        _ service: String, _ scene: BusScene, schema: SchemaVersion = SchemaVersion(major: 2, minor: 0),
        status: String = "ok", _ body: (MessageBus) async throws -> Void
    ) async throws {
        try await scene.withBus("\(service)/1") { workerBus in
            let worker = workerBus.worker(BusWorkerOptions(service: service, capacity: 1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await worker.serve { request in
                        var header = request.envelope.header
                        header.schema = schema
                        header.sender = "\(service)/1"
                        header.status = ReplyStatus(rawValue: status)
                        return Envelope(header: header, payload: Array("{}".utf8))
                    }
                }
                try await scene.withBus("client/1") { bus in
                    try await bus.awaitService(service)
                    try await body(bus)
                }
                group.cancelAll()
            }
        }
    }
}
