import ArgumentParser
import GatewayCore
import ServiceKit

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Whether all that an answer needs is well, and what to do where it is not.",
        discussion: """
            EXAMPLES
              gateway doctor
              gateway doctor --bundle report.json    all that somebody else needs to see what is wrong

            compose/stack doctor looks at a stack that does not start.
            """)
    @Option(help: "File to write everything to that helps others to help, without keys and addresses.")
    var bundle: String?
    @OptionGroup var common: CommonOptions

    func run() async {
        await common.answer { commands in
            let environment = try Environment.load()
            guard let bundle else { return try await commands.doctor(environment) }
            let settings = SettingsReport(
                environment, broker: common.broker, language: common.lang, isColourless: common.noColor)
            return try await commands.doctor(environment, settings: settings, bundle: bundle)
        }
    }
}
