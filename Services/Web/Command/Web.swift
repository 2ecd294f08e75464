import ArgumentParser
import Localization
import ProcessKit
import ServiceKit
import WebCore

@main
struct WebCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Serves the pages of a stack: charts, films, a calendar.",
        discussion: """
            Settings: BOXOFFICE_WEB_HOST, BOXOFFICE_WEB_PORT, BOXOFFICE_WEB_URL, BOXOFFICE_WEB_ALLOWED_HOSTS,
            BOXOFFICE_WEB_PROXY, BOXOFFICE_WEB_CALLS, BOXOFFICE_WEB_POSTERS, BOXOFFICE_WEB_HOW.
            Example: BOXOFFICE_WEB_PORT=8000 web
            """)

    @Option(help: "The broker's endpoint; default: $BOXOFFICE_BROKER, else the run folder's.") var broker: String?
    @Option(help: "File to write the base URL to once the server listens.") var urlFile: String?

    func run() async {
        await ServiceProcess.main { environment in
            let process = try ServiceProcess(name: "web", environment: environment)
            let configuration = try WebConfiguration(environment)
            let file = urlFile.map(URLFile.init(path:))
            try await process.run(broker: broker) { bus in
                [
                    WebServer(bus: bus, configuration, logger: process.logger) { url in
                        try file?.write(url)
                        ServiceManager.notifyReady(process.environment)
                    },
                    WorkerService.aboutItself("web", bus: bus, logger: process.logger),
                ]
            }
            return ExitStatus.complete
        }
    }
}
