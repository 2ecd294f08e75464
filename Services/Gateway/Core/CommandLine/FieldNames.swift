import ArgumentParser
import CommandKit
import Localization
import Records
import TerminalText

/// What `--fields help` lists: the fields of a command, each with what a table for Excel calls it.
///
/// They are known without the command's arguments and without a stack.
struct FieldNames {
    private let names: [String]

    /// Nil for a line that does not ask for them, or whose command has none.
    ///
    /// - Parameter words: begin with the command.
    init?(_ words: [String], of root: any ParsableCommand.Type) {
        let options = words.prefix { $0 != "--" }
        let asks =
            options.contains("--fields=help")
            || zip(options, options.dropFirst()).contains { $0 == ("--fields", "help") }
        guard asks, !options.contains("-h"), !options.contains("--help") else { return nil }
        var command = root
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            command = next
        }
        if let usual = command.configuration.defaultSubcommand { command = usual }
        guard let command = command as? any FieldCommand.Type else { return nil }
        names = command.fieldNames
    }

    var lines: [String] {
        TextTable.labelled(
            names.map { ($0, SpreadsheetWords.heading($0)?(OutputLanguage.current) ?? "") }, columns: nil)
    }
}
