import ArgumentParser
import CommandKit
import Inspection
import MessageBus
import ServiceKit

struct StatsCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "stats",
            abstract: say(
                "브로커와 각 서비스, 각 워커의 시작 이후 집계.",
                "What the broker, each service and each of its workers have counted since their start."),
            discussion: """
                EXAMPLES
                  gateway stats
                  gateway stats detail-fetcher
                  gateway stats detail-fetcher/2 --json
                """)
    }

    @Argument(
        help: .words(
            "broker, 서비스, detail-fetcher/2. 기본값: 모두.",
            "broker, a service such as detail-fetcher, or an instance such as detail-fetcher/2; default: all."),
        completion: Completions.subjects)
    var subject: String?
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.stats(of: subject) }
    }
}

extension GatewayCommands {
    /// The figures of the broker, of every service and of each worker.
    ///
    /// - Parameter subject: "broker", a service or an instance; nil for all.
    func stats(of subject: String?) async throws -> Answer {
        try presentation.stats(await bus.stats(of: subject, deadline: deadline))
    }
}
