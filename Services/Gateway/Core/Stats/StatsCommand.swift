import ArgumentParser
import CommandKit
import Inspection
import MessageBus
import ProcessKit
import ServiceKit

struct StatsCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "stats",
            abstract: say(
                "브로커와 워커의 요청 수와 지연 시간 출력",
                "Show request counts and latencies for the broker and its workers."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) stats
                  \(Installation.gateway) stats detail-fetcher
                  \(Installation.gateway) stats detail-fetcher/2 --json
                  \(Installation.gateway) stats -v              \(say("오류를 코드별로 집계", "also count the errors by code"))
                """)
    }

    @Argument(
        help: .words(
            "broker, 서비스, 워커(detail-fetcher/2) (기본값: 모두)",
            "broker, a service (detail-fetcher) or a worker (detail-fetcher/2) (default: all)."),
        completion: Completions.subjects)
    var subject: String?
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.stats(of: subject, hasCodes: common.verbose) }
    }
}

extension GatewayCommands {
    /// The figures of the broker, of every service and of each worker.
    ///
    /// - Parameters:
    ///   - subject: "broker", a service or an instance; nil for all.
    ///   - hasCodes: whether text counts failures by their codes.
    func stats(of subject: String?, hasCodes: Bool = false) async throws -> Answer {
        try presentation.stats(await bus.stats(of: subject, deadline: deadline), hasCodes: hasCodes)
    }
}
