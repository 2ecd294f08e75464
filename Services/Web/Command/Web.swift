import ArgumentParser
import ProcessKit

@main
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Installation.program("web"),
        abstract: "Serve the pages of a stack: charts, films, months, a calendar.",
        discussion: """
            Settings: BOXOFFICE_WEB_HOST, BOXOFFICE_WEB_PORT, BOXOFFICE_WEB_URL, BOXOFFICE_WEB_ALLOWED_HOSTS,
            BOXOFFICE_WEB_PROXY, BOXOFFICE_WEB_CALLS, BOXOFFICE_WEB_POSTERS, BOXOFFICE_WEB_CACHE, BOXOFFICE_WEB_HOW.

            EXAMPLES
              BOXOFFICE_WEB_PORT=8000 \(Installation.program("web"))
              \(Installation.program("web")) export site 2022-01
            """, subcommands: [ServeCommand.self, ExportCommand.self], defaultSubcommand: ServeCommand.self)
}
