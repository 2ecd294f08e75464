import ArgumentParser
import CommandKit
import ProcessKit
import ServiceKit
import TerminalText

struct ConfigCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config",
            abstract: say(
                "설정값과 출처 출력", "Show each setting, its value and its origin."),
            discussion: """
                \(say(
                "옵션이 환경 변수보다, 환경 변수가 설정 파일보다, 그것이 기본값보다 앞섭니다.\n키는 있는지만 알립니다. "
                    + "파일에 쓸 것은 \(Installation.settingsFile)에 있습니다.",
                "An option stands above the environment, the environment above the file of settings, that above the default. "
                    + "Of a key it states only whether there is one. \(Installation.settingsFile) shows what a file may set."))

                EXAMPLES
                  gateway config
                  BOXOFFICE_RUN=/tmp/other gateway config --json
                """)
    }

    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let settings = try context.settings()
        let report = SettingsReport(
            settings, broker: common.broker, language: context.languageOption, isColourless: common.noColor)
        // An invalid width is shown like any other value.
        let width = (try? TextWidth(settings)) ?? .narrow
        let presentation = common.presentation(context, settings, width: width)
        return presentation.sanitized(try presentation.settings(report))
    }
}
