import Envelope
import Foundation
import MessageBus
import ProcessKit
import TestSupport
import Testing
import Upstream

@testable import GatewayCore

/// The gateway's command line in process, with a stack that the tests of a suite share.
struct GatewayScene: Sendable {
    @TaskLocal private static var ofSuite: GatewayScene?

    static var shared: GatewayScene { get throws { try #require(ofSuite, "the suite has no .scene trait") } }

    let stack: StackScene

    var upstream: UpstreamSwitches { UpstreamSwitches(base: stack.upstream) }

    /// Runs a command line whose words are separated by spaces, then further words.
    @discardableResult
    func gateway(_ line: String, _ more: String..., environment: [String: String] = [:]) async -> Printed {
        await gateway(line.split(separator: " ").map(String.init) + more, environment: environment)
    }

    /// Runs a command on a terminal of that width.
    func gateway(_ line: String, columns: Int) async -> Printed {
        let words = line.split(separator: " ").map(String.init)
        return Printed(
            await Self.answer(words, environment: variables, clock: stack.ahead.clock, columns: columns))
    }

    /// The answer with its bytes, which need not be text.
    func answer(_ line: String) async -> Answer {
        await Self.answer(line.split(separator: " ").map(String.init), environment: variables, clock: stack.ahead.clock)
    }

    private func gateway(_ words: [String], environment: [String: String] = [:]) async -> Printed {
        Printed(
            await Self.answer(words, environment: variables.merging(environment) { $1 }, clock: stack.ahead.clock))
    }

    /// Runs a command that must succeed.
    @discardableResult
    func answered(_ line: String, _ more: String..., sourceLocation: SourceLocation = #_sourceLocation) async -> Printed
    {
        let printed = await gateway(line.split(separator: " ").map(String.init) + more)
        #expect(printed.status == 0, "\(printed)", sourceLocation: sourceLocation)
        return printed
    }

    /// Runs a command line without a stack.
    static func gateway(
        _ words: [String], environment: [String: String] = ["BOXOFFICE_CONFIG": "/dev/null"], clock: WallClock = .system
    ) async -> Printed {
        Printed(await answer(words, environment: environment, clock: clock))
    }

    private var variables: [String: String] {
        ["BOXOFFICE_RUN": stack.folder, "BOXOFFICE_CONFIG": "/dev/null", "HOME": stack.folder, "LC_ALL": "C.UTF-8"]
    }

    private static func answer(
        _ words: [String], environment: [String: String], clock: WallClock, columns: Int? = nil
    ) async -> Answer {
        var context = CommandContext(Environment(environment), instance: "gateway/\(UInt32.random(in: 0 ... .max))")
        context.ownsProcess = false
        context.clock = clock
        context.columns = columns
        return await GatewayCommand.answer(words, in: context)
    }

    /// The past events that the broker retains.
    func pastEvents() async throws -> [Event] {
        let stream = try await stack.bus.subscribe(last: 10_000)
        var events: [Event] = []
        while let (event, _) = await stream.nextPastEvent() { events.append(event.event) }
        await stream.close()
        return events
    }

    struct Trait: SuiteTrait, TestScoping {
        let hasBreakers: Bool
        let retry: UpstreamRetry
        let hasArchive: Bool

        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            // 2026-01-01 09:00 KST.
            try await StackScene.run(
                hasArchive: hasArchive, hasBreakers: hasBreakers, retry: retry, from: 1_767_225_600
            ) { stack in
                try await GatewayScene.$ofSuite.withValue(GatewayScene(stack: stack)) { try await function() }
            }
        }
    }
}

extension Trait where Self == GatewayScene.Trait {
    /// One stack in process for all tests of the suite.
    static func scene(
        hasBreakers: Bool = true, retry: UpstreamRetry = UpstreamRetry(), hasArchive: Bool = true
    ) -> Self {
        GatewayScene.Trait(hasBreakers: hasBreakers, retry: retry, hasArchive: hasArchive)
    }
}

/// What a command prints, and its exit status.
struct Printed: CustomStringConvertible {
    let status: Int32
    let output: String
    let errors: String

    init(_ answer: Answer) {
        status = answer.exitStatus
        output = String(decoding: answer.output, as: UTF8.self)
        errors = answer.notes.map { "\($0)\n" }.joined()
    }

    var lines: [String] { output.components(separatedBy: "\n") }

    var description: String { "status \(status)\nstdout: \(output.prefix(2000))\nstderr: \(errors.prefix(2000))" }

    func decoded<Answer: Decodable>(_ type: Answer.Type = Answer.self) throws -> Answer {
        try JSONDecoder().decode(type, from: Data(output.utf8))
    }
}
