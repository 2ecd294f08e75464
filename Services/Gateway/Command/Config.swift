import ArgumentParser
import GatewayCore
import ServiceKit
import TerminalText

struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The settings of this program, its value, and where that is from.",
        discussion: """
            An option stands above the environment, the environment above the file of settings, that above the default. \
            Of a key it tells only whether there is one. compose/boxoffice.conf shows what a file may set.

            EXAMPLES
              gateway config
              BOXOFFICE_RUN=/tmp/other gateway config --json
            """)
    @OptionGroup var common: CommonOptions

    func run() async {
        await ServiceProcess.main { environment in
            let report = SettingsReport(
                environment, broker: common.broker, language: common.lang, isColourless: common.noColor)
            // A width that cannot be is among what is shown.
            let width = (try? TextWidth(environment)) ?? .narrow
            try common.presentation(environment, width: width).settings(report).print()
            return ExitStatus.complete
        }
    }
}
