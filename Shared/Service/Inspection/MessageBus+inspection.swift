internal import Contracts
internal import Envelope
public import MessageBus

extension MessageBus {
    /// Sends one request that is not part of a film's answer; throws the failure of a failed reply.
    public func ask(
        _ service: String, _ kind: String, payload: [UInt8] = [], attachments: [[UInt8]] = [],
        deadline: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        let request = BusRequest(
            service: service, kind: kind, trace: .root(), payload: payload, attachments: attachments)
        let envelope = try await self.request(request, deadline: deadline).envelope
        if let failure = envelope.header.failure { throw failure }
        return envelope.payload
    }

    /// The time within which a process answers a question about itself.
    public static let inspectionLimit: Duration = .seconds(2)

    /// The counters of the broker, of every service and of each worker.
    ///
    /// - Parameter subject: "broker", a service or an instance; nil for all.
    /// - Throws: `Failure` when the broker does not answer before the deadline, or the subject is unknown.
    public func stats(of subject: String? = nil, deadline: ContinuousClock.Instant) async throws -> StatsReport {
        let figures = try await brokerStats(deadline: deadline)
        let traffic = figures?.services ?? []
        let status = try await workers(deadline: deadline)
        let selection = try StatsSelection(subject, broker: figures?.broker.id, status: status, traffic: traffic)
        let calls = try await withThrowingTaskGroup(of: WorkerCensus<ServiceStats>.self) { group in
            for service in selection.services {
                let instances = status.workers.filter { $0.service == service }.map(\.instance)
                let call = WorkerCensus<ServiceStats>(
                    service: service, instances: instances, wanted: selection.instance)
                group.addTask { try await self.fetchStats(call, deadline: deadline) }
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

    private func fetchStats(
        _ census: WorkerCensus<ServiceStats>, deadline: ContinuousClock.Instant
    ) async throws -> WorkerCensus<ServiceStats> {
        let limit = min(deadline, .now + Self.inspectionLimit)
        return try await runCensus(census, kind: ServiceRequest.statsKind, deadline: limit) { reply in
            let envelope = reply.envelope
            return Result { try JSONBytes.decode(ServiceStats.self, from: envelope.payload) }
                .mapError { _ in envelope.header.failure ?? .malformedEnvelope("no stats") }
        }
    }
}
