internal import ArgumentParser
internal import ProcessKit

/// What a command takes, as its own help says.
struct CommandUsage {
    /// Its own options, such as "--date", without those that all commands have.
    private(set) var options: Set<String> = []
    /// Whether a day or a range of days is an argument.
    private(set) var takesDays = false
    private(set) var takesRange = false
    /// Whether a title or a name, which may have blanks, is an argument.
    private(set) var takesText = false
    private(set) var isOfGateway = false

    /// Of no command.
    init() {}

    /// - Parameters:
    ///   - root: the command of the program.
    ///   - program: its name; an installed one has two words, as "boxoffice web".
    ///   - message: of the parser's error, which ends with "See 'gateway poster find --help' for more information."
    init(_ root: any ParsableArguments.Type, program: String, message: String) {
        isOfGateway = program == Installation.gateway
        let words = message.split(separator: "'").last { $0.hasSuffix(" --help") }?.split(separator: " ") ?? []
        var command: any ParsableArguments.Type = root
        for name in words.dropFirst(program.split(separator: " ").count).dropLast() {
            let commands = (command as? any ParsableCommand.Type)?.configuration.subcommands ?? []
            guard let next = commands.first(where: { $0._commandName == name }) else { break }
            command = next
        }
        let lines = command.helpMessage(includeHidden: true, columns: 80).split(separator: "\n")
        options = Set(
            lines.filter { $0.hasPrefix("  -") }.flatMap { line in
                line.split { " ,".contains($0) }.prefix { $0.hasPrefix("-") || $0.hasPrefix("<") }.map(String.init)
            })
        let arguments = lines.drop { !$0.hasPrefix("ARGUMENTS:") }.prefix { !$0.hasPrefix("OPTIONS:") }
        func takes(_ names: [String]) -> Bool {
            arguments.contains { line in names.contains { line.hasPrefix("  <\($0)>") } }
        }
        takesDays = takes(["date", "range"])
        takesRange = takes(["range"]) || takesDays && arguments.contains { $0.contains("range") || $0.contains("기간") }
        takesText = takes(["film", "films", "title", "name"])
    }
}
