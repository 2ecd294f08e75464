import Contracts
import Envelope
import Kobis
import Localization
import MessageBus
import ServiceKit

extension MessageSamples {
    private static let started = "2026-11-21T08:09:10.123456Z"
    private static let latency = LatencySummary(
        count: 10, p50Microseconds: 412, p95Microseconds: 103_423, p99Microseconds: 1_507_327,
        maxMicroseconds: 1_503_200)
    private static let noLatency = LatencySummary(
        count: 0, p50Microseconds: nil, p95Microseconds: nil, p99Microseconds: nil, maxMicroseconds: nil)

    /// The answers of every service, and of the broker about itself.
    static func services() throws -> [MessageVector] {
        let worker = ServiceInfo(
            name: "detail-fetcher", id: "detail-fetcher/2", version: "0.1.0", started: started, uptimeSeconds: 12.345)
        let broker = ServiceInfo(
            name: "broker", id: "broker/1", version: "0.1.0", started: started, uptimeSeconds: 86_400)
        let busy = ServiceStats(
            worker, requests: 12, answered: 10, errors: ["not_found": 2, "upstream_timeout": 1],
            lastError: ServiceStats.LastError(
                code: .timeout, message: LocalizedText(ko: "늦었습니다.", en: "It is late."), at: started,
                request: "00000000000000a100000000000000b2"), queueDepth: nil, inFlight: 1, redeliveries: 1, expired: 1,
            dropped: ["event": 3], latency: latency,
            upstreams: [UpstreamHealth(host: "www.kobis.or.kr", state: .open, failuresInARow: 12)])
        let idle = ServiceStats(
            broker, requests: 0, answered: 0, errors: [:], lastError: nil, queueDepth: 0, inFlight: 0, redeliveries: 0,
            expired: 0, dropped: [:], latency: noLatency)
        let traffic = ServiceTraffic(
            name: "detail-fetcher", workers: 2, requests: 40, answered: 30, errors: ["expired": 1, "worker_lost": 2],
            queueDepth: 3, inFlight: 4, redeliveries: 5, expired: 1, latency: latency)
        let messages = MessageCounts(received: ["client_request": 40, "worker_final": 30], faults: ["header": 1])
        return [
            try request("a service is asked whether it is there", kind: ServiceRequest.pingKind),
            try reply("a service is there", kind: ServiceRequest.pingKind, sender: worker.id),
            try request("a service is asked who it is", kind: ServiceRequest.infoKind),
            try reply("who a service is", kind: ServiceRequest.infoKind, sender: worker.id, worker),
            try request("a service is asked what it has counted", kind: ServiceRequest.statsKind),
            try reply("what a service has counted", kind: ServiceRequest.statsKind, sender: worker.id, busy),
            try alone("mmi.info: who the broker is", .frame, broker),
            try alone("mmi.stats: what the broker has counted", .frame, idle),
            try alone("mmi.stats: what the broker has seen of each service", .frame, [traffic]),
            try alone("mmi.stats: which messages the broker got", .frame, messages),
            try alone("mmi.workers: who is registered", .frame, status),
        ]
    }

    private static let status = BrokerStatus(
        workers: [
            BrokerStatus.Worker(
                service: "detail-fetcher", instance: "detail-fetcher/2", capacity: 32, inFlight: 1, served: 10,
                draining: true, registeredSeconds: 12.5)
        ],
        silentWorkers: [
            BrokerStatus.SilentWorker(service: "detail-fetcher", instance: "detail-fetcher/3", silentSeconds: 40.5)
        ],
        broker: BrokerStatus.Broker(
            upSeconds: 86_400.25, requests: 40, answered: 30, redeliveries: 5, queued: 3, inFlight: 4,
            refused: ["expired": 1], dropped: ["stale_ticket": 1], events: 200, connections: 12,
            endedConnections: ["too_many": 2]))
}
