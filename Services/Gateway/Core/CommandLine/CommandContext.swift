import Localization
public import ProcessKit
import TerminalText

/// What a command takes from outside: settings, time, and its process's terminal and signals.
public struct CommandContext: Sendable {
    /// The variables with the user's file of settings, or why the file cannot be read; help works without it.
    let loadedSettings: Result<Environment, any Error>
    public var clock = WallClock.system
    /// Whether the command has the process to itself: its terminal, and the signals that cancel it.
    public var ownsProcess = true
    /// The width of the output in place of the terminal's; nil for the terminal's.
    public var columns: Int?
    /// The name of the command on the bus.
    public var instance: String
    /// The language of its output: that of `--lang`, else of the settings.
    var language: Language
    /// The value of `--lang`.
    var languageOption: Language?

    /// - Parameter environment: without the user's file, which is read now.
    public init(_ environment: Environment, instance: String) {
        loadedSettings = Result { try environment.mergingFile() }
        // Why the file cannot be read is reported by `settings`, in this language.
        language = Language((try? loadedSettings.get()) ?? environment)
        self.instance = instance
    }

    /// - Throws: `StartupError` for settings that cannot be read.
    func settings() throws -> Environment { try loadedSettings.get() }

    /// The terminal of a stream; nil for a command inside another program.
    func terminal(_ stream: Terminal.Stream = .output, isColourUnwanted: Bool, _ settings: Environment) -> Terminal? {
        ownsProcess ? Terminal(stream, isColourUnwanted: isColourUnwanted, settings) : nil
    }

    /// The width of stdout; nil without a terminal.
    var outputColumns: Int? {
        terminalColumns(.output)
    }

    /// The width of stderr; nil without a terminal.
    var noteColumns: Int? {
        terminalColumns(.error)
    }

    /// Settings that cannot be read do not matter here: the message that says so needs a width, too.
    private func terminalColumns(_ stream: Terminal.Stream) -> Int? {
        columns ?? terminal(stream, isColourUnwanted: true, (try? settings()) ?? Environment([:]))?.size?.columns
    }

    /// For what the parser calls without arguments.
    @TaskLocal static var current = CommandContext(Environment(["BOXOFFICE_CONFIG": "/dev/null"]), instance: "gateway")
}
