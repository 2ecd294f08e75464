public import ArgumentParser
public import DemoUpstreamCore
import Logging
import ProcessKit
import ServiceKit
import ServiceLifecycle
import UnixSignals

@main
struct DemoUpstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-upstream",
        abstract: "Serve invented KOBIS and Kakao data on the loopback.",
        discussion: "Example: demo-upstream --port 8080 --recordings ../shared/recordings --latency 80 --jitter 40")

    @Option(help: "Port of 127.0.0.1; 0 takes any free one.") var port = 0
    @Option(help: "File to write the base URL to once the server listens.") var urlFile: String?
    @Option(help: "Seed of the generated world.") var seed: UInt64 = DemoUpstreamConfiguration().seed
    @Option(help: "Folder of recorded bodies to lay over the generated world.") var recordings: String?
    @Option(help: "Milliseconds to wait before each answer.") var latency = 0
    @Option(help: "Milliseconds to add to the latency at most, at random.") var jitter = 0
    @Option(help: "Part of the API calls to answer with HTTP 500, 0 to 1.") var errorRate = 0.0
    @Option(help: "What goes wrong; may be given several times: \(FaultRule.syntax).") var fault: [FaultRule] = []

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535") }
        guard (0...600_000).contains(latency), (0...600_000).contains(jitter) else {
            throw ValidationError("--latency and --jitter are milliseconds from 0 to 600000")
        }
        guard (0...1).contains(errorRate) else { throw ValidationError("--error-rate is a number from 0 to 1") }
    }

    func run() async throws {
        let logger = Logger(label: "demo-upstream") { LineLogHandler(label: $0) }
        ProcessLimits.raiseDescriptors()
        logger.notice("the limit of open files", metadata: ["limit": "\(ProcessLimits.descriptors)"])
        var settings = DemoUpstreamConfiguration()
        (settings.port, settings.seed, settings.errorRate, settings.faults) = (port, seed, errorRate, fault)
        (settings.latency, settings.jitter) = (.milliseconds(latency), .milliseconds(jitter))
        if let recordings {
            do {
                settings.recordings = try RecordingOverlay.load(from: recordings)
            } catch {
                throw ValidationError("\(error)")
            }
            logger.info("recordings", metadata: ["demo.recordings": "\(settings.recordings.summary)"])
        }
        let file = urlFile.map(URLFile.init(path:))
        let upstream = DemoUpstream(configuration: settings, logger: logger) { try file?.write($0) }
        let services = ServiceGroup(
            services: [upstream], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        do {
            try await services.run()
        } catch let error as DemoUpstreamError {
            logger.critical("\(error)")
            throw ExitCode(error.exitCode)
        } catch let error as StartupError {
            logger.critical("\(error)")
            throw ExitCode(error.exitStatus)
        }
    }
}

extension FaultRule: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}
