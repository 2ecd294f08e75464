public import ArgumentParser
public import Localization
internal import ProcessKit

/// What the parser prints instead of a command: requested help, or what is wrong with a command line.
public struct ParserEnding: Error, Sendable {
    public let text: String
    public let exitStatus: Int32

    /// Whether the text is requested output, and not an error.
    public var isHelp: Bool { exitStatus == ExitStatus.complete }

    public var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// - Parameters:
    ///   - error: of the parser, or thrown by a command's validation.
    ///   - program: the prefix of an error.
    public init<Root: ParsableArguments>(
        _ error: any Error, of root: Root.Type, program: String, in language: Language
    ) {
        var message = ParserText(language: language)
        exitStatus = root.exitCode(for: error).rawValue
        let full = root.fullMessage(for: error)
        message.usage = CommandUsage(root, program: program, message: full)
        let prefix = "Error: "
        let translated = message.translated(
            full.hasPrefix(prefix) ? "\(program): \(message.reason(full.dropFirst(prefix.count)))" : full)
        // The parser ends some pages with an empty line.
        text = String(translated.reversed().drop { $0 == "\n" }.reversed())
    }
}
