import ArgumentParser
import Assembly
import Contracts
import Envelope
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

struct PingCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ping",
            abstract: say("브로커와 각 서비스가 답하는지, 얼마나 빨리.", "Whether the broker and each service answer, how fast."),
            discussion: """
                EXAMPLES
                  gateway ping
                  gateway ping --timeout 1 && echo \(say("모두 있음", "all there"))
                """)
    }

    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.ping() }
    }
}

struct WorkersCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "workers",
            abstract: say("브로커에 등록된 워커.", "Who is registered at the broker."),
            discussion: """
                EXAMPLES
                  gateway workers
                  gateway workers --json
                """)
    }

    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.workers() }
    }
}

extension GatewayCommands {
    /// Pings the broker and one worker of each service, and measures the response times.
    func ping() async throws -> Answer {
        let start = ContinuousClock.now
        try await bus.ping(deadline: deadline)
        var pongs = [Pong(name: "broker", microseconds: (.now - start).wholeMicroseconds)]
        // All at once: a service that does not answer uses no time of the others.
        pongs += try await withThrowingTaskGroup(of: (Int, Pong).self) { group in
            for (place, service) in ServiceName.all.enumerated() {
                group.addTask { (place, try await pong(of: service)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let isWhole = pongs.allSatisfy { $0.failure == nil }
        let exitStatus = isWhole ? ExitStatus.complete : ExitStatus.unavailable
        if presentation.isJSON {
            return Answer(output: try JSONBytes.encode(["pong": pongs]), exitStatus: exitStatus)
        }
        return Answer(lines: pongs.map { $0.text(presentation.language) }, exitStatus: exitStatus)
    }

    private func pong(of service: String) async throws -> Pong {
        let request = BusRequest(service: service, kind: WorkerService.pingKind, trace: .root())
        do {
            let reply = try await bus.request(request, deadline: deadline)
            return Pong(name: reply.envelope.header.sender, microseconds: reply.took.wholeMicroseconds)
        } catch let failure as Failure {
            return Pong(name: service, failure: failure)
        }
    }

    /// The broker's list of registered workers.
    func workers() async throws -> Answer {
        let status = try await bus.workers(deadline: deadline)
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(status)) }
        let workers = status.workers
        let width = workers.map { TextWidth.narrow.columns($0.instance.printable) }.max() ?? 0
        return Answer(
            lines: workers.map { worker in
                "\(TextWidth.narrow.padded(worker.instance.printable, to: width))  in flight \(worker.inFlight)/\(worker.capacity)"
                    + "  served \(worker.served.withSeparators)\(worker.draining ? "  draining" : "")"
            })
    }
}

/// The instance that answered a ping and its response time, or the reason for no answer.
struct Pong: Encodable {
    let name: String
    let microseconds: Int?
    let failure: Failure?

    init(name: String, microseconds: Int? = nil, failure: Failure? = nil) {
        self.name = name
        self.microseconds = microseconds
        self.failure = failure
    }

    func text(_ language: Language) -> String {
        if let failure { return "\(name.printable)  \(FailureText(language: language).line(failure))" }
        return "\(name.printable)  \((microseconds ?? 0).milliseconds) ms"
    }
}

extension Int {
    /// Microseconds as milliseconds with two decimals: "1.20".
    var milliseconds: String {
        let hundredths = self / 10
        let digits = String(hundredths % 100)
        return "\((hundredths / 100).withSeparators).\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
