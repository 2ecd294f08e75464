import ArgumentParser
import GatewayCore

struct Ping: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Whether the broker and each service answer, how fast.",
        discussion: """
            EXAMPLES
              gateway ping
              gateway ping --timeout 1 && echo all there
            """)
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.ping() } }
}

struct Workers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Who is registered at the broker.",
        discussion: """
            EXAMPLES
              gateway workers
              gateway workers --json
            """)
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.workers() } }
}

struct Quota: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The calls that were made of each upstream today, and those that are left.",
        discussion: """
            EXAMPLES
              gateway quota
              gateway quota --json
            """)
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.quota() } }
}

struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What the broker, each service and each of its workers have counted since their start.",
        discussion: """
            EXAMPLES
              gateway stats
              gateway stats detail-fetcher
              gateway stats detail-fetcher/2 --json
            """)
    @Argument(help: "broker, a service such as detail-fetcher, or an instance such as detail-fetcher/2; default: all.")
    var subject: String?
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.stats(of: subject) } }
}
