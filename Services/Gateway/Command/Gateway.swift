import ArgumentParser
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
        let nearest = Suggestion.closest(to: word, among: known)
        let commands = known.joined(separator: ", ")
        return ValidationError.usage(
            "'\(word.printable)' 명령은 없습니다.\(nearest.map { " '\($0)'인가요?" } ?? "") 명령: \(commands).",
            "There is no command '\(word.printable)'.\(nearest.map { " Did you mean '\($0)'?" } ?? "") Commands: \(commands)."
        )
    }
}
