import BrokerMachine
import Envelope
import Localization
import Majordomo
import MessageBus
import ProcessKit
import ServiceKit

/// Counters in addition to those of the ledger: latencies, the last refusal, and the figures of each service.
///
/// It records every event of the ledger, in the broker's loop: recording one takes well under a microsecond and
/// allocates nothing once a service is known.
struct BrokerTally: Sendable {
    private struct Service {
        var answered = 0
        var cancelled = 0
        var redeliveries = 0
        var refused: [Refusal: Int] = [:]
        var latency = LatencyHistogram()

        /// Every request ends in one of these ways.
        var ended: Int { answered + cancelled + refused.values.reduce(0, +) }
    }

    /// Service names come from other processes and each keeps a histogram, so their number is bounded.
    private let maxServices: Int
    private var services: [String: Service] = [:]
    private var latency = LatencyHistogram()
    private var lastRefusal: (refusal: Refusal, service: String, id: RequestID?, at: Int64)?

    init(maxServices: Int = 64) {
        self.maxServices = maxServices
    }

    /// - Parameter microseconds: since 1970.
    mutating func record(_ event: LedgerEvent, at microseconds: Int64) {
        switch event {
        case .workerJoined(let service, _, _):
            // Only here: the name in a request without a worker may be arbitrary.
            if services[service] == nil, services.count < maxServices { services[service] = Service() }
        case .answered(_, let service, _, let took):
            latency.record(took)
            change(service) {
                $0.answered += 1
                $0.latency.record(took)
            }
        case .refused(let id, let service, let refusal):
            lastRefusal = (refusal, service, id, microseconds)
            change(service) { $0.refused[refusal, default: 0] += 1 }
        case .redelivered(_, let service, _):
            change(service) { $0.redeliveries += 1 }
        case .cancelled(_, let service):
            change(service) { $0.cancelled += 1 }
        case .queued, .dispatched, .suspected, .quarantined, .workerLeft, .workerRefused, .dropped: break
        }
    }

    /// Changes the service in place: reading and writing back would copy the histogram.
    private mutating func change(_ name: String, _ body: (inout Service) -> Void) {
        guard let index = services.index(forKey: name) else { return }
        body(&services.values[index])
    }

    /// The broker as a whole.
    func stats(of info: ServiceInfo, _ report: BrokerReport) -> ServiceStats {
        let counters = report.counters
        return ServiceStats(
            info, requests: counters.requests, answered: counters.answered, errors: named(counters.refused),
            lastError: lastError, queueDepth: report.queued, inFlight: report.inFlight,
            redeliveries: counters.redeliveries,
            expired: counters.refused[.expired] ?? 0, dropped: named(counters.dropped), latency: latency.summary)
    }

    /// Every service that has had a worker, by name.
    func traffic(_ report: BrokerReport) -> [ServiceTraffic] {
        let current = Dictionary(report.services.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return services.sorted { $0.key < $1.key }.map { name, service in
            let now = current[name]
            return ServiceTraffic(
                name: name, workers: now?.workers ?? 0, requests: service.ended + (now?.pending ?? 0),
                answered: service.answered, errors: named(service.refused), queueDepth: now?.queued ?? 0,
                inFlight: now?.inFlight ?? 0, redeliveries: service.redeliveries,
                expired: service.refused[.expired] ?? 0,
                latency: service.latency.summary)
        }
    }

    private var lastError: ServiceStats.LastError? {
        lastRefusal.map { last in
            ServiceStats.LastError(
                code: FailureCode(rawValue: last.refusal.rawValue),
                message: LocalizedText(
                    ko: "\(last.service) 요청에 브로커가 대신 답했습니다.",
                    en: "The broker itself answered a request to \(last.service)."),
                at: RFC3339.text(microseconds: last.at), request: last.id?.description)
        }
    }
}
