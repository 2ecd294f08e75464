import Assembly
import Contracts
import Localization
import MessageBus
import ProcessKit
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

/// `gateway ping` beside a real broker.
@Suite(.timeLimit(.minutes(1))) struct PingCommandTests {
    @Test func `unavailable services do not use up each other's time`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("client/1") { bus in
                    // Each takes the broker's grace period of 1.5 s; in sequence they would need 6 s.
                    let commands = GatewayCommands(
                        bus: bus, presentation: Samples.presentation(language: .en), deadline: .now + .seconds(5),
                        policy: AnswerPolicy())
                    let answer = try await commands.ping()
                    #expect(answer.exitStatus == ExitStatus.unavailable)
                    let lines = answer.lines.dropLast()
                    #expect(lines.map { $0.prefix { $0 != " " } } == ["broker"] + ServiceName.all.map { $0[...] })
                    #expect(lines.dropFirst().allSatisfy { $0.contains("compose/stack ps") })
                }
            }
        }
    }
}
