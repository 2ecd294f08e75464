import ArgumentParser
import GatewayCore
import ProcessKit
import ServiceKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Each command states its name: deriving it from the type's name costs 80 µs per command at every start.
@main
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: say("그날 한국이 무엇을 보았는지 묻습니다.", "Asks what Korea watched on a day."),
        discussion: """
            EXAMPLES
              gateway show                    \(say("어제의 차트와 영화 상세, 포스터", "yesterday's chart with details and posters"))
              gateway show 2022-01-05 --top 3
              gateway watch                   \(say("바뀔 때마다 다시", "again whenever it changes"))
              gateway chart -7d --json=rank,title,audience
              gateway chart --weekend --area Busan --wide
              gateway movie '#2'              \(say("어제의 2위", "yesterday's second"))
              gateway search 등대
              gateway poster '경관의 피'
              gateway show --explain          \(say("누가 무엇을 답했고 무엇이 오래 걸렸는지", "who answered what, and what took long"))
              gateway doctor                  \(say("문제와 해결 방법", "problems, and what to do"))
            """,
        version: ProductVersion.current,
        subcommands: [
            ShowCommand.self, WatchCommand.self, ChartCommand.self, MovieCommand.self, SearchCommand.self,
            PosterCommand.self, PingCommand.self, WorkersCommand.self,
            StatsCommand.self,
            QuotaCommand.self,
            CacheCommand.self, TraceCommand.self, BenchCommand.self, DoctorCommand.self, ConfigCommand.self,
            CompletionsCommand.self, ExitCodesCommand.self,
        ])

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        StandardStreams.reopenClosedDescriptors()
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
            let error = unknownCommand(words) ?? error
            guard exitCode(for: error).isSuccess else { exit(withError: error) }
            // Prints requested help itself: the parser ignores write errors.
            await ServiceProcess.main {
                _ = try LineOutput.write(fullMessage(for: error))
                return ExitStatus.complete
            }
        }
    }

    /// A clear error for what the parser reports as an unexpected argument.
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
