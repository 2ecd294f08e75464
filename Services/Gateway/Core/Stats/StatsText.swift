import Domain
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import TerminalText
import Wording

/// The stats of a stack as a table: the broker, then each service with its workers.
struct StatsText {
    let language: Language
    var width = TextWidth.narrow
    /// Columns of the terminal; nil without a limit.
    var columns: Int?
    /// Whether failures are also counted by their codes.
    var hasCodes = false

    func lines(_ report: StatsReport) -> [String] {
        var rows = [head]
        if let broker = report.broker { rows.append(row(broker, indent: "")) }
        for service in report.services {
            if let traffic = service.traffic { rows.append(row(traffic)) }
            rows += service.instances.map { row($0, indent: "  ") }
        }
        let reporters = [report.broker].compactMap { $0 } + report.services.flatMap(\.instances)
        let counters =
            reporters.flatMap(upstreams) + reporters.compactMap(errors)
            + report.services.flatMap(\.missing).map(missing)
        let table = TextTable(rows, priorities: Self.priorities).layout(limit: columns, width).lines
        return (rows.count > 1 ? table : [])
            + (counters.isEmpty ? [] : [""] + counters.flatMap { width.wrap($0, columns: columns, indent: 2) })
    }

    /// Of the columns after the name, in their order: requests, errors and times stay longest.
    private static let priorities = [1, 5, 10, 9, 7, 4, 2, 2, 2, 8, 3, 6, 3]

    private var head: [String] {
        [
            "", language("버전", "version"), language("가동", "up"), language("요청", "requests"), language("오류", "errors"),
            language("처리 중", "in flight"), language("대기", "queued"), language("재배정", "redelivered"),
            language("만료", "expired"), language("폐기", "dropped"), "p50 ms", "p95 ms", "p99 ms", "max ms",
        ]
    }

    private func row(_ stats: ServiceStats, indent: String) -> [String] {
        let up = AgeText(language: language).span(Int(exactly: stats.uptimeSeconds.rounded()) ?? 0)
        return [
            indent + stats.id.printable, stats.version.printable, up, figure(stats.requests), figure(sum(stats.errors)),
            figure(stats.inFlight), figure(stats.queueDepth), figure(stats.redeliveries), figure(stats.expired),
            figure(sum(stats.dropped)),
        ] + latency(stats.latency)
    }

    /// The broker's view of a service; a service has no version, start time or drop count.
    private func row(_ traffic: ServiceTraffic) -> [String] {
        [
            traffic.name.printable, "", "", figure(traffic.requests), figure(sum(traffic.errors)),
            figure(traffic.inFlight), figure(traffic.queueDepth), figure(traffic.redeliveries), figure(traffic.expired),
            "",
        ] + latency(traffic.latency)
    }

    private func latency(_ summary: LatencySummary) -> [String] {
        [summary.p50Microseconds, summary.p95Microseconds, summary.p99Microseconds, summary.maxMicroseconds].map {
            $0?.milliseconds ?? "-"
        }
    }

    private func figure(_ count: Int?) -> String { count?.withSeparators ?? "-" }

    /// Saturates: a program may report any number.
    private func sum(_ counts: [String: Int]) -> Int {
        counts.values.reduce(0) { sum, count in
            let (total, isOverflow) = sum.addingReportingOverflow(count)
            return isOverflow ? .max : total
        }
    }

    /// The hosts that currently do not answer.
    private func upstreams(_ stats: ServiceStats) -> [String] {
        (stats.upstreams ?? []).filter { $0.state != .closed }.map { health in
            let failures = health.failuresInARow.withSeparators
            return language(
                "\(stats.id): \(health.host.with(.subject)) \(failures)번 연속 응답하지 않아 잠시 호출하지 않습니다.",
                "\(stats.id): \(health.host) has not answered \(failures) times in a row and is not called for now."
            )
            .printable
        }
    }

    /// The last failure; before it the counts by code, which some readers want.
    private func errors(_ stats: ServiceStats) -> String? {
        let counts = stats.errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.withSeparators)" }
        let last = stats.lastError.map { last in
            let time = Moment("\(last.at.prefix { $0 != "." })Z").map {
                " \(ChartWording(language: language).minute($0.milliseconds)) (\(language("한국 시각", "Seoul time")))"
            }
            return "\(language("마지막 오류", "last error"))\(time ?? ""): \(language(last.message.ko, last.message.en))"
        }
        let parts = [hasCodes && !counts.isEmpty ? counts.joined(separator: ", ") : nil, last].compactMap(\.self)
        return parts.isEmpty ? nil : "\(stats.id): \(parts.joined(separator: "; "))".printable
    }

    private func missing(_ missing: StatsReport.Missing) -> String {
        "\(missing.id.printable)  \(FailureText(language: language).line(missing.failure))"
    }
}

extension Presentation {
    /// - Parameter hasCodes: whether text counts failures by their codes.
    func stats(_ report: StatsReport, hasCodes: Bool = false) throws -> Answer {
        let exitStatus = report.isComplete ? ExitStatus.complete : ExitStatus.unavailable
        if isJSON { return Answer(output: try JSONBytes.encode(report), exitStatus: exitStatus) }
        return Answer(
            lines: StatsText(language: language, width: width, columns: columns, hasCodes: hasCodes).lines(report),
            exitStatus: exitStatus)
    }
}
