import ArgumentParser
import CommandKit
import ProcessKit
import ServiceKit

@main
struct WebCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Installation.program("web"),
            abstract: say(
                "스택의 웹 페이지 제공: 차트, 영화, 월, 달력", "Serve the pages of a stack: charts, films, months, a calendar."),
            discussion: """
                \(say("설정", "Settings")): BOXOFFICE_WEB_HOST, BOXOFFICE_WEB_PORT, BOXOFFICE_WEB_URL, \
                BOXOFFICE_WEB_ALLOWED_HOSTS, BOXOFFICE_WEB_PROXY, BOXOFFICE_WEB_CALLS, BOXOFFICE_WEB_POSTERS, \
                BOXOFFICE_WEB_CACHE, BOXOFFICE_WEB_HOW. \
                \(say("설명", "Explained in")): \(Installation.settingsFile)

                EXAMPLES
                  BOXOFFICE_WEB_PORT=8000 \(Installation.program("web"))
                  \(Installation.program("web")) export site 2022-01
                """, subcommands: [ServeCommand.self, ExportCommand.self], defaultSubcommand: ServeCommand.self)
    }

    /// Never called: the default command is.
    func run(_ environment: Environment) async throws -> Int32 { throw CleanExit.helpRequest(self) }
}
