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
                "우선순위: 옵션, 환경 변수, 설정 파일, 기본값. 키는 설정 여부만 출력합니다.\n"
                    + "설정의 설명: \(Installation.settingsFile)",
                "Precedence: option, environment, file, default. For keys, only whether they are set.\n"
                    + "The settings are explained in \(Installation.settingsFile)."))

                EXAMPLES
                  \(Installation.gateway) config
                  BOXOFFICE_RUN=/tmp/other \(Installation.gateway) config --json
                """)
    }

    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let settings = try context.settings()
        let report = SettingsReport(
            settings, broker: common.endpoint.broker, language: context.languageOption, isColourless: common.noColor)
        // An invalid width is shown like any other value.
        let width = (try? TextWidth(settings)) ?? .narrow
        let presentation = common.presentation(context, settings, width: width)
        return presentation.sanitized(try presentation.settings(report))
    }
}
