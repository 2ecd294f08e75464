import ArgumentParser
import BoxOffice
import Envelope
import GatewayCore
import MessageBus
import ServiceKit
import TerminalText

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
            Cache.self, Trace.self,
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

struct CommonOptions: ParsableArguments {
    @Option(help: "The broker's endpoint; default: $BOXOFFICE_BROKER, else the run folder's.")
    var broker: String?

    @Option(help: "Seconds until the answer is printed with what has arrived, 0.1 to 60.")
    var timeout = 5.0

    @Flag(help: "Print JSON: a stable contract, with the status of each part.")
    var json = false

    @Flag(help: "Ask the upstream even for what is cached and fresh.")
    var refresh = false

    @Option(
        help: ArgumentHelp(
            "Seconds past its freshness that a part is answered at once while it is fetched anew; default: "
                + "$BOXOFFICE_STALE_WHILE_REVALIDATE, else 0.", valueName: "seconds"))
    var staleWhileRevalidate: Int?

    @Option(help: "Language of the text: ko or en; default: the locale's.")
    var lang: String?

    @Flag(help: "No colour.")
    var noColor = false

    @Flag(name: .shortAndLong, help: "Say on stderr who answered what, and how fast.")
    var verbose = false

    func validate() throws {
        guard (0.1...60).contains(timeout) else { throw ValidationError("--timeout takes 0.1 to 60 seconds.") }
        if let staleWhileRevalidate, !Self.staleRange.contains(staleWhileRevalidate) {
            throw ValidationError("--stale-while-revalidate takes 0 to \(Self.staleRange.upperBound) seconds.")
        }
        if let lang, Language(rawValue: lang) == nil { throw ValidationError("--lang takes ko or en.") }
    }

    /// Up to a year.
    private static let staleRange = 0...31_536_000

    func answer(_ body: (GatewayCommands) async throws -> Answer) async {
        await ServiceProcess.main { environment in
            let terminal = Terminal(isColourUnwanted: noColor, environment)
            var presentation = Presentation(
                isJSON: json, language: lang.flatMap(Language.init) ?? Language(environment), style: terminal.style,
                now: WallClock.system.now())
            presentation.columns = terminal.size?.columns
            let configuration = try BusConfiguration.find(broker, environment, instance: "gateway/\(getpid())")
            let staleSeconds =
                try staleWhileRevalidate
                ?? environment.number("BOXOFFICE_STALE_WHILE_REVALIDATE", default: 0, in: Self.staleRange)
            let deadline = ContinuousClock.now + .seconds(timeout)
            let answer = try await withMessageBus(configuration) { [presentation] bus in
                let commands = GatewayCommands(
                    bus: bus, presentation: presentation, deadline: deadline, isRefresh: refresh,
                    staleWhileRevalidate: .seconds(staleSeconds))
                do {
                    var answer = try await body(commands)
                    if verbose { answer.notes += commands.log }
                    return answer
                } catch let failure as Failure {
                    return presentation.failed(failure)
                } catch let error as DecodingError {
                    return presentation.failed(.malformedPayload(error))
                }
            }
            try answer.print()
            return answer.exitStatus
        }
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The chart of a day with details and posters.")
    @Argument(help: "2022-01-05, 20220105, -1d, 어제, yesterday; default: yesterday in Seoul.")
    var date: String?
    @Option(help: "How many films, 1 to 10.")
    var top = 10
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...10).contains(top) else { throw ValidationError("--top takes 1 to 10.") }
    }

    func run() async {
        await common.answer { try await $0.show(DateArgument.resolve(date, now: WallClock.system.now()), top: top) }
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
    @OptionGroup var common: CommonOptions

    func run() async {
        await common.answer {
            try await $0.chart(
                filter.selection(
                    around: DateArgument.resolve(date, now: WallClock.system.now()), isGiven: date != nil))
        }
    }
}

struct Movie: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The detail of a film.")
    @OptionGroup var film: FilmArgument
    @OptionGroup var common: CommonOptions

    func run() async { await common.answer { try await $0.movie(code: film.code) } }
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
