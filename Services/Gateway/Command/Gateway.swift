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
              gateway watch                   again whenever it changes
              gateway chart -7d --json=rank,title,audience
              gateway chart --weekend --area Busan --wide
              gateway movie '#2'              yesterday's second
              gateway search 등대
              gateway poster '경관의 피'
              gateway show --explain          who answered what, and what took long
              gateway doctor                  what is not well, and what to do
            """,
        version: ProductVersion.current,
        subcommands: [
            Show.self, Watch.self, Chart.self, Movie.self, Search.self, PosterCommand.self, Ping.self, Workers.self,
            Stats.self,
            Quota.self,
            Cache.self, Trace.self, Bench.self, Doctor.self, Config.self, Completions.self, ExitCodes.self,
        ])

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        StandardStreams.keepPlaces()
        var words: [String] = []
        do {
            words = try CommandLineWords(Array(CommandLine.arguments.dropFirst())).words
            var command = try await asyncParseAsRoot(words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as StartupError {
            exit(withError: ValidationError(error.description))
        } catch {
            // Only now: asking each command for its name takes as long as all the rest.
            exit(withError: unknownCommand(words) ?? error)
        }
    }

    /// What the parser would call an unexpected argument, in words that help.
    private static func unknownCommand(_ words: [String]) -> ValidationError? {
        guard let word = words.first, !word.hasPrefix("-") else { return nil }
        let known = configuration.subcommands.map { $0._commandName } + ["help"]
        guard !known.contains(word) else { return nil }
        return ValidationError(
            "There is no command '\(word.printable)'.\(Suggestion.question(word, among: known)) "
                + "Commands: \(known.joined(separator: ", ")).")
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The chart of a day with details and posters.",
        discussion: """
            EXAMPLES
              gateway show 2022-01-05 --top 3 --grid
              gateway show 어제 --lang en
              gateway show -7d --format csv --fields rank,title,audience,directors > week.csv
              gateway show --offline --strict && echo all of it is stored and fresh
            """)
    @Argument(help: "2022-01-05, 20220105, -1d, 어제, yesterday; default: yesterday in Seoul.")
    var date: String?
    @Option(help: "How many films, 1 to 10.")
    var top = 10
    @OptionGroup var format: FormatOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...10).contains(top) else { throw ValidationError("--top takes 1 to 10.") }
    }

    func run() async {
        await common.answer(policy, format: format, view: view.view) {
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
    @OptionGroup var format: FormatOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func run() async {
        await common.answer(policy, format: format, view: view.view) {
            try await $0.chart(
                filter.selection(
                    around: DateArgument.resolve(date, now: WallClock.system.now()), isGiven: date != nil))
        }
    }
}

struct Movie: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The detail of a film, and what follows from the charts that are stored.",
        discussion: """
            EXAMPLES
              gateway movie 20199882
              gateway movie '#3' --date 2022-01-05      the third of that day's chart
              gateway movie '경관의 피'                  in yesterday's chart, in stored ones, or in the catalogue
            """)
    @Argument(
        help: "The film's KOBIS code, its rank as '#3', or its title or a part of it.", completion: FilmCompletion.kind)
    var film: String
    @Option(
        help: "The day whose chart ranks are of, and up to which charts are looked at; default: yesterday in Seoul.")
    var date: String?
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard film.contains(where: { !$0.isWhitespace }), film.utf8.count <= FilmSearch.maxTextBytes else {
            throw ValidationError(
                "Give a film's code, its rank as '#3', or a title of \(FilmSearch.maxTextBytes) bytes at most.")
        }
    }

    func run() async {
        await common.answer(policy, format: format) {
            try await $0.movie(FilmReference(film), on: DateArgument.resolve(date, now: WallClock.system.now()))
        }
    }
}

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
