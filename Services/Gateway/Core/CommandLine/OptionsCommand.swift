import ArgumentParser
import CommandKit
import ProcessKit

/// The options that most commands share, explained once.
struct OptionsCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "options", abstract: say("공통 옵션 설명", "Explain the common options."))
    }

    @OptionGroup(title: say("공통", "Common")) var common: CommonOptions
    @OptionGroup(title: say("차트와 영화의 출력 형식", "Output of charts and films")) var format: FormatOptions
    @OptionGroup(title: say("가져오기와 만료된 데이터", "Fetching and expired data")) var policy: PolicyOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let help = ParserText(language: context.language).translated(Self.helpMessage(columns: 80))
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let sections = HelpPage.sections(lines)
        return Answer(lines: Answer.wrapped(sections, columns: context.outputColumns))
    }
}
