import BrokerMachine
import Contracts
import Majordomo
import MessageBus

extension BrokerStatus {
    init(_ report: BrokerReport, _ connections: PeerConnections, up: Duration, events: Int) {
        self.init(
            workers: report.workers.map { worker in
                Worker(
                    service: worker.service, instance: worker.instance, capacity: worker.capacity,
                    inFlight: worker.inFlight, served: worker.served, draining: worker.isDraining,
                    registeredSeconds: worker.registered / .seconds(1))
            },
            silentWorkers: report.silentWorkers.map { worker in
                SilentWorker(
                    service: worker.service, instance: worker.instance, silentSeconds: worker.silence / .seconds(1))
            },
            broker: Broker(
                upSeconds: up / .seconds(1), requests: report.counters.requests, answered: report.counters.answered,
                redeliveries: report.counters.redeliveries, queued: report.queued, inFlight: report.inFlight,
                refused: named(report.counters.refused), dropped: named(report.counters.dropped), events: events,
                connections: connections.table.count, endedConnections: named(connections.endedCounts)))
    }
}

extension MessageCounts {
    init(_ counters: BrokerCounters) {
        self.init(received: named(counters.received), faults: named(counters.faults))
    }
}

/// Counts by the names that they have in JSON.
func named<Key: RawRepresentable<String>>(_ counts: [Key: Int]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
}
