import ArgumentParser
import CommandKit
import ExporterCore
import ProcessKit
import ServiceKit

@main
struct ExporterCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "exporter",
            abstract: say(
                "Prometheus 지표 제공, OTLP/HTTP로 트레이스 전송", "Serve Prometheus metrics and send traces by OTLP/HTTP."),
            discussion: """
                \(say("설정", "Settings")): BOXOFFICE_EXPORTER_HOST, BOXOFFICE_EXPORTER_PORT, \
                BOXOFFICE_EXPORTER_ALLOWED_HOSTS
                \(say("트레이스", "For traces")): OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, \
                OTEL_EXPORTER_OTLP_HEADERS\(say(" 등 OpenTelemetry 설정", " and the others of OpenTelemetry"))

                EXAMPLES
                  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 exporter
                """)
    }

    @OptionGroup var options: ServiceOptions
    @OptionGroup var address: URLFileOption

    func run(_ environment: Environment) async throws -> Int32 {
        let process = try ServiceProcess(name: "exporter", environment: environment)
        let configuration = try ExporterConfiguration(environment)
        let file = address.file
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
