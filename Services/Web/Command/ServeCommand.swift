import ArgumentParser
import CommandKit
import ProcessKit
import ServiceKit
import WebCore

struct ServeCommand: ServiceCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: say("HTTP로 페이지 제공(SIGTERM이나 Ctrl-C로 종료)", "Serve the pages over HTTP until SIGTERM or Ctrl-C."))
    }

    @OptionGroup var options: ServiceOptions
    @OptionGroup var address: URLFileOption

    func run(_ environment: Environment) async throws -> Int32 {
        let process = try ServiceProcess(name: "web", environment: environment)
        let configuration = try WebConfiguration(environment)
        let file = address.file
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
