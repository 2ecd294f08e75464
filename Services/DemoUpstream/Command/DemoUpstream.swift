public import ArgumentParser
import CommandKit
public import DemoUpstreamCore
import Localization
import Logging
import ProcessKit
import ServiceKit
import ServiceLifecycle
import UnixSignals

@main
struct DemoUpstreamCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "demo-upstream",
            abstract: say("가상의 KOBIS·카카오 데이터를 이 컴퓨터에 제공", "Serve invented KOBIS and Kakao data on the loopback."),
            discussion: """
                EXAMPLES
                  demo-upstream --port 8080 --recordings DIR --latency 80 --jitter 40
                """)
    }

    @Option(help: .words("127.0.0.1의 포트. 0은 비어 있는 포트", "Port of 127.0.0.1; 0 takes any free one."))
    var port = 0
    @OptionGroup var address: URLFileOption
    @Option(help: .words("가상 데이터를 만드는 시드", "Seed of the generated world."))
    var seed: UInt64 = DemoUpstreamConfiguration().seed
    @Option(
        help: .words(
            "가상 데이터보다 먼저 쓸 녹화된 응답의 폴더", "Folder of recorded bodies to lay over the generated world."))
    var recordings: String?
    @Option(help: .words("응답 전 대기 시간(ms)", "Milliseconds to wait before each answer.")) var latency = 0
    @Option(
        help: .words("대기 시간에 더할 무작위 시간의 최댓값(ms)", "Milliseconds to add to the latency at most, at random."))
    var jitter = 0
    @Option(
        help: .words("HTTP 500으로 응답할 호출 비율, 0~1", "Part of the API calls to answer with HTTP 500, 0 to 1."))
    var errorRate = 0.0
    @Option(
        help: .words(
            """
            발생시킬 장애(여러 번 지정 가능). NAME[:CONDITION,…]
            NAME: \(FaultRule.names)
            CONDITION: \(FaultRule.conditions)
            """,
            "What goes wrong; may be given several times: \(FaultRule.syntax)."))
    var fault: [FaultRule] = []
    @OptionGroup var language: LanguageOption

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError.usage("--port는 0부터 65535까지입니다.", "--port is a number from 0 to 65535.")
        }
        guard (0...600_000).contains(latency), (0...600_000).contains(jitter) else {
            throw ValidationError.usage(
                "--latency와 --jitter는 0부터 600000까지(ms)입니다.",
                "--latency and --jitter are milliseconds from 0 to 600000.")
        }
        guard (0...1).contains(errorRate) else {
            throw ValidationError.usage("--error-rate는 0부터 1까지입니다.", "--error-rate is a number from 0 to 1.")
        }
    }

    func run(_ environment: Environment) async throws -> Int32 {
        let logger = Logger(label: "demo-upstream") { LineLogHandler(label: $0) }
        logger.notice("the limit of open files", metadata: ["limit": "\(ProcessLimits.descriptors)"])
        var settings = DemoUpstreamConfiguration()
        (settings.port, settings.seed, settings.errorRate, settings.faults) = (port, seed, errorRate, fault)
        (settings.latency, settings.jitter) = (.milliseconds(latency), .milliseconds(jitter))
        if let recordings {
            do {
                settings.recordings = try RecordingOverlay.load(from: recordings)
            } catch {
                throw StartupError("\(error)", exitStatus: ExitStatus.usage)
            }
            logger.info("recordings", metadata: ["demo.recordings": "\(settings.recordings.summary)"])
        }
        let file = address.file
        let upstream = DemoUpstream(configuration: settings, logger: logger) { try file?.write($0) }
        let services = ServiceGroup(
            services: [upstream], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        do {
            try await services.run()
        } catch let error as DemoUpstreamError {
            throw StartupError("\(error)", exitStatus: error.exitCode)
        }
        return ExitStatus.complete
    }
}

extension FaultRule: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}
