import Contracts
import Envelope
import Localization
import MessageBus

/// Sample stats.
enum StatsSamples {
    static let latency = LatencySummary(
        count: 10, p50Microseconds: 1204, p95Microseconds: 20_000, p99Microseconds: 1_500_000,
        maxMicroseconds: 1_500_009)
    static let noLatency = LatencySummary(
        count: 0, p50Microseconds: nil, p95Microseconds: nil, p99Microseconds: nil, maxMicroseconds: nil)

    static func stats(
        _ id: String, requests: Int = 0, errors: [String: Int] = [:], lastError: ServiceStats.LastError? = nil,
        queueDepth: Int? = nil, dropped: [String: Int] = [:], latency: LatencySummary = noLatency, uptime: Double = 125
    ) -> ServiceStats {
        let info = ServiceInfo(
            name: String(id.prefix { $0 != "/" }), id: id, version: "0.1.0", started: "2026-11-21T08:09:10.000000Z",
            uptimeSeconds: uptime)
        return ServiceStats(
            info, requests: requests, answered: requests, errors: errors, lastError: lastError, queueDepth: queueDepth,
            inFlight: 2, redeliveries: 3, expired: 4, dropped: dropped, latency: latency)
    }

    static func traffic(_ name: String, workers: Int = 1, requests: Int = 0) -> ServiceTraffic {
        ServiceTraffic(
            name: name, workers: workers, requests: requests, answered: 0, errors: ["expired": 1], queueDepth: 7,
            inFlight: 2, redeliveries: 3, expired: 4, latency: noLatency)
    }

    static func worker(_ instance: String, inFlight: Int = 0) -> BrokerStatus.Worker {
        BrokerStatus.Worker(
            service: String(instance.prefix { $0 != "/" }), instance: instance, capacity: 32, inFlight: inFlight,
            served: 0, draining: false, registeredSeconds: 0)
    }

    /// - Parameter silent: instances that the broker has removed.
    static func status(_ instances: [String] = [], silent: [String] = [], inFlight: Int = 0) -> BrokerStatus {
        BrokerStatus(
            workers: instances.map { worker($0, inFlight: inFlight) },
            silentWorkers: silent.map {
                BrokerStatus.SilentWorker(
                    service: String($0.prefix { $0 != "/" }), instance: $0, silentSeconds: 40)
            },
            broker: BrokerStatus.Broker(
                upSeconds: 0, requests: 0, answered: 0, redeliveries: 0, queued: 0, inFlight: 0, refused: [:],
                dropped: [:], events: 0, connections: 0, endedConnections: [:]))
    }

    static let timeout = Failure(.timeout, LocalizedText(ko: "늦었습니다.", en: "It is late."), isRetryable: true)
}
