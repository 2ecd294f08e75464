import Contracts
import Envelope

/// Durations and counts from the stream of events; pure, so that tests can apply any events.
///
/// Events have any names: a label takes known ones, and a bounded number of commands.
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
        let status: String

        static func < (left: RequestKey, right: RequestKey) -> Bool {
            (left.service, left.kind, left.status) < (right.service, right.kind, right.status)
        }
    }

    private static let other = "other"
    private static let maxCommands = 40
    /// Twice the longest deadline; a longer duration is none of ours.
    private static let maxMicroseconds = 120_000_000
    private static let kinds = Set(Role.stackOperator.kinds())
    private static let statuses: Set<String> = ["ok", "stale", "failed"]

    private var queries: [QueryKey: DurationHistogram] = [:]
    private var requests: [RequestKey: DurationHistogram] = [:]
    private var waits: [String: DurationHistogram] = [:]
    private var upstreamCalls: [String: Int] = [:]
    private var commands: Set<String> = []
    private var events = 0
    private var lost = 0

    /// - Parameter lost: the number of events that were lost before this one.
    mutating func take(_ event: Event, lost: Int) {
        events += 1
        self.lost += max(0, lost)
        if event.kind == EventKind.queryAnswered {
            takeQuery(event)
        } else if event.kind == EventKind.dispatched {
            takeDispatch(event)
        } else if let kind = EventKind.answeredKind(of: event.kind) {
            takeAnswer(event, kind: kind)
        }
    }

    private mutating func takeQuery(_ event: Event) {
        guard let took = duration(event, "tookMicroseconds") else { return }
        let key = QueryKey(command: command(event), status: status(event))
        queries[key, default: DurationHistogram()].record(microseconds: took)
    }

    private mutating func takeDispatch(_ event: Event) {
        guard let waited = duration(event, "queuedMicroseconds") else { return }
        let service = label(of: event.attributes["service"]?.description ?? "")
        waits[service, default: DurationHistogram()].record(microseconds: waited)
    }

    private mutating func takeAnswer(_ event: Event, kind: String) {
        guard !event.isInspection, let worked = duration(event, "workMicroseconds") else { return }
        let service = label(of: event.service)
        let key = RequestKey(
            service: service, kind: Self.kinds.contains(kind) ? kind : Self.other, status: status(event))
        requests[key, default: DurationHistogram()].record(microseconds: worked)
        if let calls = event.attributes["upstreamCalls"]?.number, 0...1000 ~= calls {
            upstreamCalls[service, default: 0] += calls
        }
    }

    private func duration(_ event: Event, _ name: String) -> Int? {
        event.attributes[name]?.number.flatMap { 0...Self.maxMicroseconds ~= $0 ? $0 : nil }
    }

    private func label(of service: String) -> String {
        ServiceDescription.named(service) == nil ? Self.other : service
    }

    private func status(_ event: Event) -> String {
        event.attributes["status"].map(\.description).flatMap { Self.statuses.contains($0) ? $0 : nil } ?? Self.other
    }

    private mutating func command(_ event: Event) -> String {
        let name = event.attributes["command"]?.description ?? ""
        let isName = !name.isEmpty && name.utf8.count <= 32 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        guard isName, commands.contains(name) || commands.count < Self.maxCommands else { return Self.other }
        commands.insert(name)
        return name
    }

    var families: [MetricFamily] {
        var query = MetricFamily(
            "boxoffice_query_duration_seconds", .histogram, "Duration of whole answers, by command and status.")
        for (key, histogram) in queries.sorted(by: { $0.key < $1.key }) {
            histogram.add(to: &query, ["command": key.command, "status": key.status])
        }
        var request = MetricFamily(
            "boxoffice_request_duration_seconds", .histogram,
            "Requests between processes, from their arrival at a worker to its answer, by kind.")
        for (key, histogram) in requests.sorted(by: { $0.key < $1.key }) {
            histogram.add(to: &request, ["service": key.service, "kind": key.kind, "status": key.status])
        }
        var wait = MetricFamily(
            "boxoffice_queue_duration_seconds", .histogram, "Time that requests wait in the queue of the broker.")
        for (service, histogram) in waits.sorted(by: { $0.key < $1.key }) {
            histogram.add(to: &wait, ["service": service])
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
            query, request, wait, calls,
            counter("events", "Events that the exporter has read.", events),
            counter("lost_events", "Events that were published and not read; durations and traces lack them.", lost),
        ]
    }
}

extension Event {
    /// The service of the process that published it.
    var service: String { String(source.prefix { $0 != "/" }) }

    /// Whether it is the answer to a question about the stack: a ping, a scrape. Such questions would hide the others.
    var isInspection: Bool {
        guard let kind = EventKind.answeredKind(of: kind) else { return false }
        return inspections.contains(kind) || attributes["from"]?.description.hasPrefix("exporter/") == true
    }
}

private let inspections = Set(
    ServiceRequest.kinds + [
        CacheStatsRequest.kind, QuotaListRequest.kind, ArchiveOrderRequest.kind, ArchiveStatusRequest.kind,
    ])

extension AttributeValue {
    var number: Int? { if case .number(let number) = self { number } else { nil } }
}

/// Counts durations in the buckets of a Prometheus histogram.
struct DurationHistogram: Equatable {
    /// Upper bounds in seconds: a warm answer takes half a millisecond, a deadline is a minute at most.
    static let bounds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    mutating func record(microseconds: Int) {
        let seconds = Double(microseconds) / 1_000_000
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// Adds the samples of this histogram, whose buckets are cumulative, to a family.
    func add(to family: inout MetricFamily, _ labels: KeyValuePairs<String, String>) {
        var total = 0
        for (bound, count) in zip(Self.bounds + [.infinity], counts) {
            total += count
            family.addBucket(Double(total), upTo: bound, labels)
        }
        family.add(sum, labels, suffix: "_sum")
        family.add(Double(total), labels, suffix: "_count")
    }
}
