import ArgumentParser
import CommandKit
import ProcessKit

/// The options that most commands share, explained once.
struct OptionsCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "options", abstract: say("공통 옵션 설명", "Explain the common options."))
    }

    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let help = ParserText(language: context.language).translated(Self.helpMessage(columns: 80))
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Answer(lines: Answer.wrapped(HelpPage(lines).options, columns: context.outputColumns))
    }
}
