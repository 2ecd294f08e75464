import ArgumentParser
import ProcessKit
import ServiceKit
import WebCore

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the pages over HTTP until TERM or INT.")

    @OptionGroup var options: ServiceOptions
    @Option(help: "File to write the base URL to once the server listens.") var urlFile: String?

    func run() async {
        await ServiceProcess.main { environment in
            let process = try ServiceProcess(name: "web", environment: environment)
            let configuration = try WebConfiguration(environment)
            let file = urlFile.map(URLFile.init(path:))
            try await process.run(options) { bus in
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
