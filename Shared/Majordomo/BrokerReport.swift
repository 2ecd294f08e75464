/// What the broker knows about itself at one moment.
public struct BrokerReport: Sendable, Equatable {
    public struct Worker: Sendable, Equatable {
        public let service: String
        public let instance: String
        public let capacity: Int
        public let inFlight: Int
        public let served: Int
        public let isDraining: Bool
        /// How long it has been registered.
        public let registered: Duration
    }

    public struct Service: Sendable, Equatable {
        public let name: String
        public let workers: Int
        public let queued: Int
    }

    public let workers: [Worker]
    public let services: [Service]
    public let counters: BrokerCounters
    public let inFlight: Int
    public let queued: Int
    /// What the ledger keeps of requests: nothing when none is under way.
    public let records: Int
}

extension BrokerStateMachine {
    public func report(at now: Duration) -> BrokerReport {
        BrokerReport(
            workers: workers.values.map { worker in
                BrokerReport.Worker(
                    service: worker.service.text, instance: worker.options.instance,
                    capacity: worker.options.capacity, inFlight: worker.inFlight.count, served: worker.served,
                    isDraining: worker.isDraining, registered: now - worker.joinedAt)
            }.sorted { ($0.service, $0.instance) < ($1.service, $1.instance) },
            services: services.map { name, service in
                BrokerReport.Service(name: name.text, workers: service.workers.count, queued: service.queue.count)
            }.sorted { $0.name < $1.name },
            counters: counters, inFlight: workers.values.reduce(0) { $0 + $1.inFlight.count },
            queued: services.values.reduce(0) { $0 + $1.queue.count }, records: entries.count + entryByRequest.count)
    }
}
