import Localization
public import ProcessKit
import TerminalText

/// What a command takes from outside: settings, time, and its process's terminal and signals.
public struct CommandContext: Sendable {
    /// The variables, without the user's file of settings.
    public var environment: Environment
    public var clock = WallClock.system
    /// Whether the command has the process to itself: its terminal, and the signals that cancel it.
    public var ownsProcess = true
    /// The name of the command on the bus.
    public var instance: String

    public init(_ environment: Environment, instance: String) {
        self.environment = environment
        self.instance = instance
    }

    /// The terminal of a stream; nil for a command inside another program.
    func terminal(_ stream: Terminal.Stream = .output, isColourUnwanted: Bool, _ settings: Environment) -> Terminal? {
        ownsProcess ? Terminal(stream, isColourUnwanted: isColourUnwanted, settings) : nil
    }

    /// The context and the language of help, for what the parser calls without arguments.
    @TaskLocal static var current = (
        context: CommandContext(Environment([:]), instance: "gateway"), language: Language.ko
    )
}

/// A sentence of the help.
func say(_ korean: String, _ english: String) -> String { CommandContext.current.language(korean, english) }
