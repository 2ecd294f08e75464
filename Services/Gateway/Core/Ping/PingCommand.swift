import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

struct PingCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ping",
            abstract: say("브로커와 워커의 응답 여부 확인", "Check that the broker and every worker respond."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) ping
                  \(Installation.gateway) ping --timeout 1 && echo \(say("모두 있음", "all there"))
                  \(Installation.gateway) ping detail-fetcher/2
                  \(Installation.gateway) ping detail-fetcher/self       \(say("이 컨테이너의 인스턴스", "the one in this container"))
                """)
    }

    @Argument(
        help: .words(
            "broker, 서비스, 워커(detail-fetcher/2) (기본값: 모두)",
            "broker, a service (detail-fetcher) or a worker (detail-fetcher/2) (default: all)."),
        completion: Completions.subjects)
    var subject: String?
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let settings = try context.settings()
        let subject = subject.map { InstanceName.resolve($0, in: settings) }
        return try await common.answer(in: context) { try await $0.ping(subject) }
    }
}

struct WorkersCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "workers",
            abstract: say("등록된 워커 목록 출력", "List registered workers."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) workers
                  \(Installation.gateway) workers --json
                """)
    }

    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.workers() }
    }
}

extension GatewayCommands {
    /// Pings the broker and each worker, and measures the response times.
    ///
    /// - Parameter subject: "broker", a service or an instance; nil for all.
    func ping(_ subject: String? = nil) async throws -> Answer {
        let start = ContinuousClock.now
        try await bus.ping(deadline: deadline)
        let ofBroker = Pong(name: "broker", microseconds: (.now - start).wholeMicroseconds)
        let status = try await bus.workers(deadline: deadline)
        let selection = try StatsSelection(subject, broker: ofBroker.name, status: status, traffic: [])
        var pongs = selection.hasBroker ? [ofBroker] : []
        let present = Set(status.workers.map(\.service) + status.silentWorkers.map(\.service))
        let services = ServiceName.all + ServiceName.optional.filter(present.contains)
        // All at once: a service that does not answer uses no time of the others.
        pongs += try await withThrowingTaskGroup(of: (Int, [Pong]).self) { group in
            for (place, service) in (subject == nil ? services : selection.services).enumerated() {
                group.addTask { (place, try await pongsOfWorkers(of: service, status, wanted: selection.instance)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
        let isWhole = pongs.allSatisfy { $0.failure == nil }
        let exitStatus = isWhole ? ExitStatus.complete : ExitStatus.unavailable
        if presentation.isJSON {
            return Answer(output: try JSONBytes.encode(["pong": pongs]), exitStatus: exitStatus)
        }
        let width = pongs.map { presentation.width.columns($0.name.printable) }.max() ?? 0
        let lines = pongs.map { pong in
            presentation.width.padded(pong.name.printable, to: width) + "  " + pong.text(presentation.language)
        }
        return Answer(lines: presentation.wrapped(lines, indent: width + 2), exitStatus: exitStatus)
    }

    /// One for each worker, or one for a service without workers.
    private func pongsOfWorkers(
        of service: String, _ status: BrokerStatus, wanted: String?
    ) async throws -> [Pong] {
        let instances = status.workers.filter { $0.service == service }.map(\.instance)
        let census = try await bus.runCensus(
            WorkerCensus<Int>(service: service, instances: instances, wanted: wanted), kind: ServiceRequest.pingKind,
            deadline: deadline
        ) { .success($0.took.wholeMicroseconds) }
        let silent =
            census.missing.sorted().map { instance in
                Pong(name: instance, failure: census.lastFailure ?? .notReached(instance, nil))
            } + status.silentWorkers.filter(census.concerns).map { Pong(name: $0.instance, failure: .silent($0)) }
        let answered = census.answers.map { instance, answer in
            switch answer {
            case .success(let microseconds): Pong(name: instance, microseconds: microseconds)
            case .failure(let failure): Pong(name: instance, failure: failure)
            }
        }
        if answered.isEmpty, silent.isEmpty, let failure = census.lastFailure {
            return [Pong(name: service, failure: failure)]
        }
        return (answered + silent).sorted { $0.name < $1.name }
    }

    /// The broker's list of registered workers.
    func workers() async throws -> Answer {
        let status = try await bus.workers(deadline: deadline)
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(status)) }
        let language = presentation.language
        let head = ["", language("처리 중", "in flight"), language("응답", "answered"), language("상태", "state")]
        let rows = status.workers.map { worker in
            [
                worker.instance.printable, "\(worker.inFlight)/\(worker.capacity)", worker.served.withSeparators,
                worker.draining ? language("종료 중", "draining") : language("준비됨", "ready"),
            ]
        }
        let silent = status.silentWorkers.map { worker in
            [worker.instance.printable, "", "", language("응답 없음", "not answering")]
        }
        return Answer(lines: presentation.table([head] + rows + silent, priorities: [3, 1, 2]))
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
        if let failure { return FailureText(language: language).line(failure) }
        return "\((microseconds ?? 0).milliseconds) ms"
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
