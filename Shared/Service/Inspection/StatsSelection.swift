internal import Contracts
internal import Envelope
internal import Localization
package import MessageBus
import ProcessKit

/// The services and workers whose stats are requested.
package struct StatsSelection: Equatable {
    package let services: [String]
    /// The one worker that was requested.
    package let instance: String?
    package let hasBroker: Bool

    /// - Parameters:
    ///   - subject: "broker", a service or an instance; nil for all.
    ///   - broker: the broker's instance; nil when the bus has no broker of ours.
    /// - Throws: `Failure` that names an unknown subject.
    package init(
        _ subject: String?, broker: String?, status: BrokerStatus, traffic: [ServiceTraffic]
    ) throws {
        let workers =
            status.workers.map { ($0.service, $0.instance) } + status.silentWorkers.map { ($0.service, $0.instance) }
        let known = Set(ServiceName.all).union(workers.map(\.0)).union(traffic.map(\.name))
        if let (service, instance) = workers.first(where: { $0.1 == subject }) {
            self.init(services: [service], instance: instance, hasBroker: false)
            return
        }
        switch subject {
        case nil: self.init(services: known.sorted(), instance: nil, hasBroker: true)
        case "broker" where broker != nil, broker: self.init(services: [], instance: nil, hasBroker: true)
        case let service? where known.contains(service):
            self.init(services: [service], instance: nil, hasBroker: false)
        case let unknown?: throw Failure.unknownSubject(unknown)
        }
    }

    private init(services: [String], instance: String?, hasBroker: Bool) {
        self.services = services
        self.instance = instance
        self.hasBroker = hasBroker
    }
}

extension Failure {
    fileprivate static func unknownSubject(_ name: String) -> Failure {
        Failure(
            .unavailable,
            LocalizedText(
                ko: "'\(name)' 서비스나 인스턴스가 없습니다. 목록 확인: \(Installation.gateway) workers",
                en: "Unknown service or instance '\(name)'. To list them: \(Installation.gateway) workers"),
            isRetryable: false)
    }
}
