internal import Majordomo
internal import MessageBus

/// The state of the broker at one moment.
public struct BrokerReport: Sendable, Equatable {
    public struct Worker: Sendable, Equatable {
        public let service: String
        public let instance: String
        public let capacity: Int
        public let inFlight: Int
        public let served: Int
        public let isDraining: Bool
        /// The time since its registration.
        public let registered: Duration
    }

    /// A worker that was removed because it was silent, and whose connection is still open.
    public struct SilentWorker: Sendable, Equatable {
        public let service: String
        public let instance: String
        /// The time since its last message.
        public let silence: Duration
    }

    public struct Service: Sendable, Equatable {
        public let name: String
        public let workers: Int
        public let queued: Int
        /// Requests at its workers, including those whose deadline has passed.
        public let inFlight: Int
        /// Requests that have not ended: queued or dispatched.
        public let pending: Int
    }

    public let workers: [Worker]
    public let silentWorkers: [SilentWorker]
    public let services: [Service]
    public let counters: BrokerCounters
    public let inFlight: Int
    public let queued: Int
    /// The number of records in the ledger; zero when no request is open.
    public let records: Int
}

extension BrokerStateMachine {
    public func report(at now: Duration) -> BrokerReport {
        let pending = entries.values.reduce(into: [:]) { $0[$1.service, default: 0] += 1 }
        return BrokerReport(
            workers: workers.values.map { worker in
                BrokerReport.Worker(
                    service: worker.service.text, instance: worker.options.instance,
                    capacity: worker.options.capacity, inFlight: worker.inFlight.count, served: worker.served,
                    isDraining: worker.isDraining, registered: now - worker.joinedAt)
            }.sorted { ($0.service, $0.instance) < ($1.service, $1.instance) },
            silentWorkers: lostWorkers.silences.values.map { silent in
                BrokerReport.SilentWorker(
                    service: silent.service.text, instance: silent.instance, silence: now - silent.lastHeard)
            }.sorted { ($0.service, $0.instance) < ($1.service, $1.instance) },
            services: services.map { name, service in
                BrokerReport.Service(
                    name: name.text, workers: service.workers.count,
                    queued: service.queue.count + (suspects[name]?.count ?? 0),
                    inFlight: service.workers.reduce(0) { $0 + (workers[$1]?.inFlight.count ?? 0) },
                    pending: pending[name] ?? 0)
            }.sorted { $0.name < $1.name },
            counters: counters, inFlight: workers.values.reduce(0) { $0 + $1.inFlight.count },
            queued: services.values.reduce(0) { $0 + $1.queue.count } + suspects.values.reduce(0) { $0 + $1.count },
            records: entries.count + entryByRequest.count)
    }
}
