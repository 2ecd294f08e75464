import Envelope
import Inspection
import MessageBus

/// The counters of the broker, of services and of instances as metrics.
enum StackMetrics {
    static func families(_ report: StatsReport, _ status: BrokerStatus, messages: MessageCounts?) -> [MetricFamily] {
        instanceFamilies(report) + brokerFamilies(report, status, messages) + serviceFamilies(report, status)
            + upstreamFamilies(report)
    }

    /// What each process counts itself.
    private static func instanceFamilies(_ report: StatsReport) -> [MetricFamily] {
        var info = MetricFamily("boxoffice_instance_info", .gauge, "An instance that answers, with its version.")
        var uptime = MetricFamily("boxoffice_instance_uptime_seconds", .gauge, "Time since the start of an instance.")
        var missing = MetricFamily(
            "boxoffice_instance_missing", .gauge, "A registered instance that does not answer, with the reason.")
        var requests = MetricFamily("boxoffice_requests_total", .counter, "Requests that an instance has started.")
        var answers = MetricFamily("boxoffice_answers_total", .counter, "Requests that it has answered.")
        var errors = MetricFamily("boxoffice_errors_total", .counter, "Answers that were failures, by code.")
        var redelivered = MetricFamily(
            "boxoffice_redelivered_requests_total", .counter,
            "Requests redelivered to this instance after another one was lost.")
        var expired = MetricFamily(
            "boxoffice_expired_requests_total", .counter, "Requests whose deadline had passed before their work began.")
        var dropped = MetricFamily("boxoffice_dropped_total", .counter, "Messages that it dropped, by reason.")
        var inFlight = MetricFamily("boxoffice_requests_in_flight", .gauge, "Requests in progress at an instance.")
        for service in report.services {
            for stats in service.instances {
                let (name, id) = (service.name, stats.id)
                info.add(1, ["service": name, "instance": id, "version": stats.version])
                uptime.add(stats.uptimeSeconds, ["service": name, "instance": id])
                requests.add(stats.requests, ["service": name, "instance": id])
                answers.add(stats.answered, ["service": name, "instance": id])
                redelivered.add(stats.redeliveries, ["service": name, "instance": id])
                expired.add(stats.expired, ["service": name, "instance": id])
                inFlight.add(stats.inFlight, ["service": name, "instance": id])
                for (code, count) in stats.errors.sorted(by: { $0.key < $1.key }) {
                    errors.add(count, ["service": name, "instance": id, "code": code])
                }
                for (reason, count) in stats.dropped.sorted(by: { $0.key < $1.key }) {
                    dropped.add(count, ["service": name, "instance": id, "reason": reason])
                }
            }
            // A service without any worker has an entry under its own name.
            for lack in service.missing where lack.id != service.name {
                missing.add(
                    1, ["service": service.name, "instance": lack.id, "code": lack.failure.code.rawValue])
            }
        }
        return [info, uptime, missing, requests, answers, errors, redelivered, expired, dropped, inFlight]
    }

    /// What our broker counts; over NATS the servers have figures of their own.
    private static func brokerFamilies(
        _ report: StatsReport, _ status: BrokerStatus, _ messages: MessageCounts?
    ) -> [MetricFamily] {
        guard let stats = report.broker, let broker = status.broker else { return [] }
        func single(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double) -> MetricFamily {
            var family = MetricFamily("boxoffice_broker_\(name)", kind, help)
            family.add(value)
            return family
        }
        func keyed(_ name: String, _ help: String, _ label: String, _ counts: [String: Int]) -> MetricFamily {
            var family = MetricFamily("boxoffice_broker_\(name)", .counter, help)
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                family.add(Double(count), [label: key])
            }
            return family
        }
        return [
            single("uptime_seconds", .gauge, "Time since the start of the broker.", broker.upSeconds),
            single("requests_total", .counter, "Requests that arrived.", Double(broker.requests)),
            single("answers_total", .counter, "Answers that it forwarded.", Double(broker.answered)),
            single("redeliveries_total", .counter, "Requests sent to a second worker.", Double(broker.redeliveries)),
            single("expired_requests_total", .counter, "Requests without an answer in time.", Double(stats.expired)),
            keyed("refusals_total", "Requests that it refused, by code.", "code", broker.refused),
            keyed("dropped_total", "Messages that it dropped, by reason.", "reason", broker.dropped),
            keyed(
                "ended_connections_total", "Connections that it closed, by reason.", "reason",
                broker.endedConnections),
            keyed("messages_total", "Messages that it accepted, by kind.", "kind", messages?.received ?? [:]),
            single("events_total", .counter, "Events in its stream.", Double(broker.events)),
            single("connections", .gauge, "Open connections of its sockets.", Double(broker.connections)),
            single("queued_requests", .gauge, "Requests that wait for a worker.", Double(broker.queued)),
            single("requests_in_flight", .gauge, "Requests at a worker.", Double(broker.inFlight)),
        ]
    }

    private static func serviceFamilies(_ report: StatsReport, _ status: BrokerStatus) -> [MetricFamily] {
        var workers = MetricFamily("boxoffice_workers", .gauge, "Registered workers of a service.")
        var silent = MetricFamily(
            "boxoffice_silent_workers", .gauge, "Workers removed because they were silent, whose process still runs.")
        var capacity = MetricFamily("boxoffice_capacity", .gauge, "Requests that the workers accept at once.")
        var queued = MetricFamily("boxoffice_queued_requests", .gauge, "Requests that wait for a worker of a service.")
        for service in report.services {
            let own = status.workers.filter { $0.service == service.name }
            workers.add(own.count, ["service": service.name])
            silent.add(status.silentWorkers.count { $0.service == service.name }, ["service": service.name])
            capacity.add(own.reduce(0.0) { $0 + Double($1.capacity) }, ["service": service.name])
            queued.add(service.traffic?.queueDepth, ["service": service.name])
        }
        return [workers, silent, capacity, queued]
    }

    /// One sample for each state, 1 for the present one, as OpenMetrics has state sets.
    private static func upstreamFamilies(_ report: StatsReport) -> [MetricFamily] {
        var state = MetricFamily("boxoffice_upstream_breaker_state", .gauge, "The state of a host's circuit breaker.")
        var failures = MetricFamily(
            "boxoffice_upstream_failures_in_a_row", .gauge, "Failed calls of a host since its last answer.")
        for stats in report.services.flatMap(\.instances) {
            for host in stats.upstreams ?? [] {
                for known in [UpstreamHealth.State.closed, .halfOpen, .open] {
                    state.add(
                        host.state == known,
                        ["service": stats.name, "instance": stats.id, "host": host.host, "state": known.rawValue])
                }
                failures.add(
                    host.failuresInARow, ["service": stats.name, "instance": stats.id, "host": host.host])
            }
        }
        return [state, failures]
    }
}
