public import ArgumentParser
internal import CommandKit
internal import Localization
public import ProcessKit

/// A command of a service's program: its help and errors are in the reader's language, and every program starts and ends
/// in the same way.
public protocol ServiceCommand: ParsableCommand {
    /// Whether it writes to a log, which is English unless its reader has asked for another language.
    static var isLogged: Bool { get }

    /// Runs until the work is done, or a signal ends it.
    ///
    /// - Returns: the exit status.
    /// - Throws: `StartupError`, which is printed as one line and sets the exit status.
    func run(_ environment: Environment) async throws -> Int32
}

extension ServiceCommand {
    public static var isLogged: Bool { true }

    /// Runs the command line of this process, then ends the process.
    public static func runProcess() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        await ServiceProcess.main { try await run(arguments) }
    }

    private static func run(_ arguments: [String]) async throws -> Int32 {
        let settings = Result { try Environment.load() }
        // Help works without the user's file; why it cannot be read is reported by the command.
        let environment = (try? settings.get()) ?? .process
        let program = _commandName
        var language = Language(environment)
        do {
            let given = try LanguageWords(arguments)
            let asked = given.language ?? environment[Language.variable].flatMap(Language.init)
            language = asked ?? language
            switch OutputLanguage.$current.withValue(language, operation: { parse(given.words, program) }) {
            case .success(let command):
                if type(of: command).isLogged { language = asked ?? .en }
                return try await OutputLanguage.$current.withValue(language) { try await command.run(settings.get()) }
            case .failure(let ending):
                _ = try LineOutput.write(Array("\(ending.text)\n".utf8), toStandardError: !ending.isHelp)
                return ending.exitStatus
            }
        } catch let error as StartupError {
            ServiceProcess.fail("\(program): \(error.message(language))", exitStatus: error.exitStatus)
        }
    }

    /// The command of a line, or what the parser has to say.
    private static func parse(_ words: [String], _ program: String) -> Result<any ServiceCommand, ParserEnding> {
        do {
            var command = try parseAsRoot(words)
            if let command = command as? any ServiceCommand { return .success(command) }
            // The parser's own: help.
            try command.run()
            throw CleanExit.helpRequest(command)
        } catch {
            return .failure(ParserEnding(error, of: Self.self, program: program, in: OutputLanguage.current))
        }
    }
}
