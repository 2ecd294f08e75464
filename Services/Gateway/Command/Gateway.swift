import ArgumentParser
import BoxOffice
import GatewayCore
import ServiceKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
struct Gateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Asks what Korea watched on a day.",
        discussion: """
            EXAMPLES
              gateway show                    yesterday's chart with details and posters
              gateway show 2022-01-05 --top 3
              gateway chart -7d --json
              gateway chart --weekend --area Busan
              gateway movie 20199882
              gateway poster '경관의 피'
              gateway ping
              gateway stats detail-fetcher
              gateway trace 5aefbff7
              gateway quota
            """,
        version: ProductVersion.current,
        subcommands: [
            Show.self, Chart.self, Movie.self, PosterCommand.self, Ping.self, Workers.self, Stats.self, Quota.self,
            Cache.self, Trace.self, Bench.self,
        ])

    /// A date such as -1d begins like an option: it is set apart before parsing.
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        var arguments = Array(CommandLine.arguments.dropFirst())
        if let index = arguments.firstIndex(where: { $0.wholeMatch(of: /-[0-9]+d/) != nil }), !arguments.contains("--")
        {
            arguments.append(contentsOf: ["--", arguments.remove(at: index)])
        }
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error)
        }
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The chart of a day with details and posters.")
    @Argument(help: "2022-01-05, 20220105, -1d, 어제, yesterday; default: yesterday in Seoul.")
    var date: String?
    @Option(help: "How many films, 1 to 10.")
    var top = 10
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...10).contains(top) else { throw ValidationError("--top takes 1 to 10.") }
    }

    func run() async {
        await common.answer(policy) {
            try await $0.show(DateArgument.resolve(date, now: WallClock.system.now()), top: top)
        }
    }
}

struct Chart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The chart of a day or of a week alone.",
        discussion: """
            EXAMPLES
              gateway chart 2022-01-05
              gateway chart --weekend -7d --area 서울
              gateway chart --nation korean --diversity diverse
            """)
    @Argument(help: "2022-01-05, 20220105, -1d, 어제, yesterday, or any day of a week; default: yesterday in Seoul.")
    var date: String?
    @OptionGroup var filter: ChartOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func run() async {
        await common.answer(policy) {
            try await $0.chart(
                filter.selection(
                    around: DateArgument.resolve(date, now: WallClock.system.now()), isGiven: date != nil))
        }
    }
}

struct Movie: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The detail of a film.")
    @OptionGroup var film: FilmArgument
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer(policy) { try await $0.movie(code: film.code) } }
}

struct Ping: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Whether the broker and each service answer, how fast.")
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.ping() } }
}

struct Workers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Who is registered at the broker.")
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.workers() } }
}

struct Quota: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The calls that were made of each upstream today, and those that are left.")
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.quota() } }
}

struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What the broker, each service and each of its workers have counted since their start.")
    @Argument(help: "broker, a service such as detail-fetcher, or an instance such as detail-fetcher/2; default: all.")
    var subject: String?
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.stats(of: subject) } }
}
