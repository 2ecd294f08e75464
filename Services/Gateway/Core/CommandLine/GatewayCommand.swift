public import ArgumentParser
import CommandKit
import Domain
import Localization
import ProcessKit

/// A command of the gateway that ends with an answer.
///
/// Each command states its name: deriving it from the type's name costs 80 µs per command at every start.
protocol AnsweringCommand: AsyncParsableCommand {
    func answer(in context: CommandContext) async throws -> Answer
}

/// A command whose answer also has the form of records.
protocol FieldCommand: AnsweringCommand {
    static var fieldNames: [String] { get }
}

/// A question about time, which `gateway bench` can repeat as well.
protocol QuestionCommand: FieldCommand {
    var format: FormatOptions { get }
    var policy: PolicyOptions { get }
    var common: CommonOptions { get }

    /// - Throws: `StartupError` for arguments that mean no days, before anybody is asked.
    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer
}

extension QuestionCommand {
    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(
            in: context, policy, format: format, timeLimit: .seconds(30), question(in: context))
    }
}

/// The gateway's command line.
public struct GatewayCommand: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Installation.gateway,
            abstract: say("한국 박스오피스 조회", "Query the Korean box office."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway)                         \(say("어제의 차트", "yesterday's chart"))
                  \(Installation.gateway) show 2022-01-05 --top 3
                  \(Installation.gateway) watch                   \(say("변경될 때마다 다시 출력", "refresh after each change"))
                  \(Installation.gateway) chart -7d --json=rank,title,audience
                  \(Installation.gateway) chart --weekend --area Busan --wide
                  \(Installation.gateway) movie '#2'              \(say("어제의 2위", "yesterday's no. 2"))
                  \(Installation.gateway) search 등대
                  \(Installation.gateway) poster '#1'
                  \(Installation.gateway) show --explain          \(say("워커별 처리 시간", "duration of each request"))
                  \(Installation.gateway) doctor                  \(say("문제 진단", "diagnose problems"))
                """,
            version: ProductVersion.current,
            groupedSubcommands: [
                CommandGroup(
                    name: say("차트", "Charts"),
                    subcommands: [
                        ShowCommand.self, ChartCommand.self, WatchCommand.self, BriefCommand.self, HistoryCommand.self,
                        NewCommand.self, TopCommand.self, ShareCommand.self, RecordsCommand.self,
                    ]),
                CommandGroup(
                    name: say("영화", "Films"),
                    subcommands: [
                        MovieCommand.self, RunCommand.self, CompareCommand.self, PersonCommand.self,
                        SearchCommand.self, PosterCommand.self,
                    ]),
                CommandGroup(name: say("아카이브", "Archive"), subcommands: [ArchiveCommand.self]),
                CommandGroup(
                    name: say("운영", "Operate"),
                    subcommands: InstalledProgram.commands + [
                        PingCommand.self, WorkersCommand.self, StatsCommand.self, QuotaCommand.self, CacheCommand.self,
                        TraceCommand.self, BenchCommand.self, DoctorCommand.self,
                    ]),
                CommandGroup(
                    name: say("설정", "Setup"),
                    subcommands: [
                        ConfigCommand.self, CompletionsCommand.self, OptionsCommand.self, ExitCodesCommand.self,
                    ]),
            ])
    }

    public init() {}

    /// Runs a command line.
    ///
    /// - Parameter arguments: the words after the program's name.
    /// - Returns: everything to print, and the exit status; also for help and for errors.
    public static func answer(_ arguments: [String], in context: CommandContext) async -> Answer {
        var context = context
        let words: CommandLineWords
        do throws(StartupError) {
            words = try CommandLineWords(arguments)
        } catch {
            return Answer(
                notes: ["\(Installation.gateway): \(error.message(context.language))"], exitStatus: error.exitStatus)
        }
        context.languageOption = words.language
        context.language = words.language ?? context.language
        let answer = await OutputLanguage.$current.withValue(context.language) {
            await CommandContext.$current.withValue(context) { await run(words.words, in: context) }
        }
        return answer.notes.isEmpty ? answer : answer.wrappingNotes(columns: context.noteColumns)
    }

    private static func run(_ words: [String], in context: CommandContext) async -> Answer {
        if let names = FieldNames((impliedCommand(words).map { [$0] } ?? []) + words, of: Self.self) {
            return Answer(lines: names.lines)
        }
        let command: any AnsweringCommand
        switch await parse(words) {
        case .success(let parsed): command = parsed
        case .failure(let ending):
            guard ending.isHelp else { return Answer(notes: [ending.text], exitStatus: ending.exitStatus) }
            let lines = HelpPage(ending.lines).lines
            return Answer(lines: Answer.wrapped(lines, columns: context.outputColumns))
        }
        do {
            return try await command.answer(in: context)
        } catch let error as StartupError {
            return Answer(
                notes: ["\(Installation.gateway): \(error.message(context.language))"], exitStatus: error.exitStatus)
        } catch {
            return Answer(notes: ["\(Installation.gateway): \(error)"], exitStatus: ExitStatus.software)
        }
    }

    /// The command of a line, or what the parser has to say.
    static func parse(_ words: [String]) async -> Result<any AnsweringCommand, ParserEnding> {
        let language = OutputLanguage.current
        let implied = impliedCommand(words)
        do {
            // The help of the common options is a command's whole output.
            var words = words.starts(with: ["help", "options"]) ? Array(words.dropFirst()) : words
            if let implied { words = [implied] + words }
            if words.first == "help", let error = unknownCommand(words.dropFirst()) { throw error }
            var command = try await asyncParseAsRoot(words)
            if let command = command as? any AnsweringCommand { return .success(command) }
            // A command with subcommands only: its help.
            try command.run()
            throw CleanExit.helpRequest(command)
        } catch {
            let error = implied == nil ? unknownCommand(words.prefix(1)) ?? error : error
            return .failure(ParserEnding(error, of: Self.self, program: Installation.gateway, in: language))
        }
    }

    /// The command that is meant when it is left out: for nothing, a day or an option `show`, for a range `chart`.
    private static func impliedCommand(_ words: [String]) -> String? {
        guard let first = words.first else { return "show" }
        let isOption = first.hasPrefix("-")
        // The parser's own options.
        let own = ["-h", "--help", "--version", "---completion"]
        if own.contains(first) || isOption && ["--generate", "--experimental"].contains(where: first.hasPrefix) {
            return nil
        }
        let now = CommandContext.current.clock.now()
        guard isOption || first.first?.isNumber == true || DateArgument.namesDays(first, now: now) else {
            return nil
        }
        return words.contains { isOfChart($0) || DateArgument.isRange($0, now: now) } ? "chart" : "show"
    }

    /// Whether a word is an option that `chart` has and `show` has not.
    private static func isOfChart(_ word: String) -> Bool {
        ["--area", "--nation", "--diversity", "--weekly", "--weekend", "--weekdays"].contains {
            word == $0 || word.hasPrefix("\($0)=")
        }
    }

    /// What another program, or a command of a command, does under this name.
    private static func otherProgram(_ word: String) -> String? {
        switch word {
        case "up", "down", "ps", "scale", "restart", "logs": Installation.stack(word)
        case "status": Installation.stack("ps")
        case "tap", "web", "broker": Installation.program(word)
        case "fill": "\(Installation.gateway) archive fill"
        case "pin", "unpin": "\(Installation.gateway) poster \(word)"
        case "month", "year", "week": "\(Installation.gateway) top 2022-01"
        default: nil
        }
    }

    /// A clear error for the first word that is no command of those before it.
    private static func unknownCommand(
        _ words: ArraySlice<String>, of command: any ParsableCommand.Type = Self.self
    ) -> ValidationError? {
        guard let word = words.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty else {
            return nil
        }
        let commands = command.configuration.subcommands
        if let next = commands.first(where: { $0._commandName == word }) {
            return unknownCommand(words.dropFirst(), of: next)
        }
        let known = commands.map { $0._commandName } + (command == Self.self ? ["help"] : [])
        guard !known.contains(word) else { return nil }
        if let other = otherProgram(word) {
            return ValidationError.usage(
                "'\(word)' 명령은 \(Installation.gateway)에 없습니다. 사용하세요: \(other)",
                "\(Installation.gateway) has no command '\(word)'. Use: \(other)")
        }
        let nearest = Suggestion.closest(to: word, among: known)
        let list = known.joined(separator: ", ")
        return ValidationError.usage(
            "'\(word.printable)' 명령은 없습니다. \(nearest.map { "'\($0)'인가요?" } ?? "명령: \(list).")",
            "Unknown command '\(word.printable)'. \(nearest.map { "Did you mean '\($0)'?" } ?? "Commands: \(list).")")
    }
}
