import Contracts
import Envelope
import EventLog

/// Durations and counts from the stream of events; pure, so that tests can apply any events.
///
/// The number of label values is bounded, since peers choose the names of kinds and commands.
struct EventMetrics {
    private struct QueryKey: Hashable, Comparable {
        let command: String
        let status: String

        static func < (left: QueryKey, right: QueryKey) -> Bool {
            (left.command, left.status) < (right.command, right.status)
        }
    }

    private struct RequestKey: Hashable, Comparable {
        let service: String
        let kind: String
        let outcome: String

        static func < (left: RequestKey, right: RequestKey) -> Bool {
            (left.service, left.kind, left.outcome) < (right.service, right.kind, right.outcome)
        }
    }

    private static let maxSeries = 300

    private var queries: [QueryKey: DurationHistogram] = [:]
    private var requests: [RequestKey: DurationHistogram] = [:]
    private var upstreamCalls: [String: Int] = [:]
    private var events = 0
    private var lost = 0
    private var uncounted = 0

    /// - Parameter lost: the number of events that were lost before this one.
    mutating func take(_ event: Event, lost: Int) {
        events += 1
        note(lost: lost)
        if let calls = event.attributes["upstreamCalls"]?.count, EventKind.answeredKind(of: event.kind) != nil {
            let service = String(event.source.prefix { $0 != "/" })
            if upstreamCalls[service] != nil || ServiceDescription.named(service) != nil {
                upstreamCalls[service, default: 0] += calls
            }
        }
        if event.kind == EventKind.queryAnswered, let took = event.attributes["tookMicroseconds"]?.count {
            let key = QueryKey(
                command: event.attributes["command"]?.description ?? "",
                status: event.attributes["status"]?.description ?? "")
            if !Self.record(took, &queries, key) { uncounted += 1 }
        }
    }

    mutating func take(_ exchange: Exchange) {
        guard let took = exchange.tookMicroseconds, let service = exchange.service else { return }
        let outcome =
            switch exchange.outcome {
            case .answered(let status): status ?? "ok"
            case .refused: "refused"
            case .cancelled: "cancelled"
            case .open: "open"
            }
        let key = RequestKey(service: service, kind: exchange.kind ?? "", outcome: outcome)
        if !Self.record(took, &requests, key) { uncounted += 1 }
    }

    mutating func note(lost: Int) {
        self.lost += max(0, lost)
    }

    /// - Returns: false when there are too many different keys for this one.
    private static func record<Key: Hashable>(
        _ microseconds: Int, _ histograms: inout [Key: DurationHistogram], _ key: Key
    ) -> Bool {
        guard histograms[key] != nil || histograms.count < maxSeries else { return false }
        histograms[key, default: DurationHistogram()].record(microseconds: microseconds)
        return true
    }

    var families: [MetricFamily] {
        var query = MetricFamily(
            "boxoffice_query_duration_seconds", .histogram, "Whole answers to people and programs, by command.")
        for (key, histogram) in queries.sorted(by: { $0.key < $1.key }) {
            histogram.add(to: &query, ["command": key.command, "status": key.status])
        }
        var request = MetricFamily(
            "boxoffice_request_duration_seconds", .histogram,
            "Requests between processes, from their arrival at the bus to their end, by kind.")
        for (key, histogram) in requests.sorted(by: { $0.key < $1.key }) {
            histogram.add(to: &request, ["service": key.service, "kind": key.kind, "outcome": key.outcome])
        }
        var calls = MetricFamily(
            "boxoffice_upstream_calls_total", .counter, "Calls of upstreams in answers, retries included.")
        for (service, count) in upstreamCalls.sorted(by: { $0.key < $1.key }) {
            calls.add(count, ["service": service])
        }
        func counter(_ name: String, _ help: String, _ count: Int) -> MetricFamily {
            var family = MetricFamily("boxoffice_exporter_\(name)_total", .counter, help)
            family.add(count)
            return family
        }
        return [
            query, request, calls,
            counter("events", "Events that the exporter has read.", events),
            counter("lost_events", "Events that were published and not read; durations and traces lack them.", lost),
            counter("uncounted_durations", "Durations beyond the bound of different labels.", uncounted),
        ]
    }
}
