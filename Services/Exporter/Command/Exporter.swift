import ArgumentParser
import ExporterCore
import Localization
import ProcessKit
import ServiceKit

@main
struct ExporterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exporter", abstract: "Serve Prometheus metrics and send traces by OTLP/HTTP.",
        discussion: """
            Settings: BOXOFFICE_EXPORTER_HOST, BOXOFFICE_EXPORTER_PORT, BOXOFFICE_EXPORTER_ALLOWED_HOSTS; for traces
            OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and the others of OpenTelemetry.
            Example: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 exporter
            """)

    @OptionGroup var options: ServiceOptions
    @Option(help: "File to write the base URL to once the server listens.") var urlFile: String?

    func run() async {
        await ServiceProcess.main { environment in
            let process = try ServiceProcess(name: "exporter", environment: environment)
            let configuration = try ExporterConfiguration(environment)
            let file = urlFile.map(URLFile.init(path:))
            try await process.run(options) { bus in
                [
                    ExporterServer(bus: bus, configuration, logger: process.logger) { url in
                        try file?.write(url)
                        ServiceManager.notifyReady(process.environment)
                    },
                    WorkerService.aboutItself("exporter", bus: bus, logger: process.logger),
                ]
            }
            return ExitStatus.complete
        }
    }
}
