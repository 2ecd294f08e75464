internal import Contracts
public import Envelope
internal import Localization
public import MessageBus
internal import ProcessKit

/// The result of `gateway stats`: the reports of the broker, of each service by the broker, and of each worker.
///
/// Its encoding is the command's JSON output.
public struct StatsReport: Encodable, Sendable {
    public struct Service: Encodable, Sendable {
        public let name: String
        /// The broker's totals over all workers; null for a service that has had none.
        public let traffic: ServiceTraffic?
        public let instances: [ServiceStats]
        /// Workers that are registered and did not answer, or the service itself when it has no worker.
        public let missing: [Missing]

        public init(
            name: String, traffic: ServiceTraffic?, instances: [ServiceStats], missing: [Missing]
        ) {
            self.name = name
            self.traffic = traffic
            self.instances = instances
            self.missing = missing
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(traffic, forKey: .traffic)
            try container.encode(instances, forKey: .instances)
            try container.encode(missing, forKey: .missing)
        }

        private enum CodingKeys: CodingKey {
            case name, traffic, instances, missing
        }
    }

    public struct Missing: Encodable, Sendable {
        public let id: String
        public let failure: Failure

        public init(id: String, failure: Failure) {
            self.id = id
            self.failure = failure
        }

        /// Encodes every key, also those of the failure.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            var reason = container.nestedContainer(keyedBy: FailureKeys.self, forKey: .failure)
            try reason.encode(failure.code, forKey: .code)
            try reason.encode(failure.faultCode, forKey: .faultCode)
            try reason.encode(failure.httpStatus, forKey: .httpStatus)
            try reason.encode(failure.isRetryable, forKey: .isRetryable)
            try reason.encode(failure.message, forKey: .message)
        }

        private enum CodingKeys: CodingKey {
            case id, failure
        }

        private enum FailureKeys: CodingKey {
            case code, faultCode, httpStatus, isRetryable, message
        }
    }

    /// Null when one service was requested.
    public let broker: ServiceStats?
    public let services: [Service]

    public init(broker: ServiceStats?, services: [Service]) {
        self.broker = broker
        self.services = services
    }

    public var isComplete: Bool { services.allSatisfy(\.missing.isEmpty) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(broker, forKey: .broker)
        try container.encode(services, forKey: .services)
        try container.encode(isComplete, forKey: .complete)
    }

    private enum CodingKeys: CodingKey {
        case broker, complete, services
    }
}

extension StatsReport.Service {
    /// - Parameter status: the broker's list of workers.
    package init(_ call: WorkerCensus<ServiceStats>, traffic: ServiceTraffic?, status: BrokerStatus) {
        var instances: [ServiceStats] = []
        var missing: [StatsReport.Missing] = []
        for (instance, answer) in call.answers {
            switch answer {
            case .success(let stats): instances.append(stats)
            case .failure(let failure): missing.append(StatsReport.Missing(id: instance, failure: failure))
            }
        }
        missing += call.missing.sorted().map { instance in
            let worker = status.workers.first { $0.instance == instance }
            return StatsReport.Missing(id: instance, failure: call.lastFailure ?? .notReached(instance, worker))
        }
        missing += status.silentWorkers.filter(call.concerns).map {
            StatsReport.Missing(id: $0.instance, failure: .silent($0))
        }
        if instances.isEmpty, missing.isEmpty, let failure = call.lastFailure {
            missing = [StatsReport.Missing(id: call.service, failure: failure)]
        }
        self.init(name: call.service, traffic: traffic, instances: instances, missing: missing)
    }
}

extension Failure {
    /// The broker removed the worker since it was silent; its process still exists.
    public static func silent(_ worker: BrokerStatus.SilentWorker) -> Failure {
        let seconds = Int(exactly: worker.silentSeconds.rounded()) ?? 0
        let restart = Installation.stack("restart \(worker.service)")
        return Failure(
            .unavailable,
            LocalizedText(
                ko: "\(AgeText(language: .ko).span(seconds)) 동안 응답이 없습니다. 다시 시작하세요: \(restart)",
                en: "It has not answered for \(AgeText(language: .en).span(seconds)). Replace it: \(restart)"),
            isRetryable: false)
    }

    /// Every round's requests went to other workers: it accepts no requests now.
    public static func notReached(_ instance: String, _ worker: BrokerStatus.Worker?) -> Failure {
        let room = worker.map { " (\($0.inFlight)/\($0.capacity))" } ?? ""
        return Failure(
            .overloaded,
            LocalizedText(
                ko: "\(instance.with(.subject)) 질문을 받지 못했습니다\(room). 잠시 뒤에 다시 시도하세요.",
                en: "No question reached \(instance)\(room). Try again in a moment."),
            isRetryable: true)
    }
}
