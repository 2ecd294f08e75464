import ArgumentParser
import GatewayCore

struct PingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping",
        abstract: say("브로커와 각 서비스가 답하는지, 얼마나 빨리.", "Whether the broker and each service answer, how fast."),
        discussion: """
            EXAMPLES
              gateway ping
              gateway ping --timeout 1 && echo \(say("모두 있음", "all there"))
            """)
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.ping() } }
}

struct WorkersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workers",
        abstract: say("브로커에 등록된 워커.", "Who is registered at the broker."),
        discussion: """
            EXAMPLES
              gateway workers
              gateway workers --json
            """)
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.workers() } }
}

struct QuotaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quota",
        abstract: say(
            "오늘 각 업스트림에 한 호출과 남은 호출.",
            "The calls that were made of each upstream today, and those that are left."),
        discussion: """
            EXAMPLES
              gateway quota
              gateway quota --json
            """)
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.quota() } }
}

struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: say(
            "브로커와 각 서비스, 각 워커가 시작한 뒤로 센 것.",
            "What the broker, each service and each of its workers have counted since their start."),
        discussion: """
            EXAMPLES
              gateway stats
              gateway stats detail-fetcher
              gateway stats detail-fetcher/2 --json
            """)
    @Argument(
        help: .words(
            "broker, 서비스, detail-fetcher/2. 기본값: 모두.",
            "broker, a service such as detail-fetcher, or an instance such as detail-fetcher/2; default: all."))
    var subject: String?
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.stats(of: subject) } }
}
