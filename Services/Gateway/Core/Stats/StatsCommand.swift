import ArgumentParser
import CommandKit
import Contracts
import Envelope
import MessageBus
import ServiceKit

struct StatsCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "stats",
            abstract: say(
                "브로커와 각 서비스, 각 워커의 시작 이후 집계.",
                "What the broker, each service and each of its workers have counted since their start."),
            discussion: """
                EXAMPLES
                  gateway stats
                  gateway stats detail-fetcher
                  gateway stats detail-fetcher/2 --json
                """)
    }

    @Argument(
        help: .words(
            "broker, 서비스, detail-fetcher/2. 기본값: 모두.",
            "broker, a service such as detail-fetcher, or an instance such as detail-fetcher/2; default: all."),
        completion: Completions.subjects)
    var subject: String?
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.stats(of: subject) }
    }
}

extension GatewayCommands {
    /// The figures of the broker, of every service and of each worker.
    ///
    /// - Parameter subject: "broker", a service or an instance; nil for all.
    func stats(of subject: String?) async throws -> Answer {
        try presentation.stats(await statsReport(of: subject))
    }

    func statsReport(of subject: String?) async throws -> StatsReport {
        let figures = try await bus.brokerStats(deadline: deadline)
        let traffic = figures?.services ?? []
        let status = try await bus.workers(deadline: deadline)
        let workers = status.workers
        let selection = try StatsSelection(subject, broker: figures?.broker.id, status: status, traffic: traffic)
        let calls = try await withThrowingTaskGroup(of: WorkerCensus<ServiceStats>.self) { group in
            for service in selection.services {
                let instances = workers.filter { $0.service == service }.map(\.instance)
                let call = WorkerCensus<ServiceStats>(
                    service: service, instances: instances, wanted: selection.instance)
                group.addTask { try await fetchStats(call) }
            }
            return try await group.reduce(into: [:]) { $0[$1.service] = $1 }
        }
        let services = selection.services.compactMap { name in
            calls[name].map { call in
                StatsReport.Service(call, traffic: traffic.first { $0.name == name }, status: status)
            }
        }
        return StatsReport(broker: selection.hasBroker ? figures?.broker : nil, services: services)
    }

    private func fetchStats(_ census: WorkerCensus<ServiceStats>) async throws -> WorkerCensus<ServiceStats> {
        let limit = min(deadline, .now + GatewayTiming.inspectionLimit)
        return try await runCensus(census, kind: ServiceRequest.statsKind, limit: limit) { reply in
            let envelope = reply.envelope
            return Result { try JSONBytes.decode(ServiceStats.self, from: envelope.payload) }
                .mapError { _ in envelope.header.failure ?? .malformedEnvelope("no stats") }
        }
    }
}
