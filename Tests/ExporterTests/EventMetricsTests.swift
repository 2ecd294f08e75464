import Envelope
import EventLog
import Testing

@testable import ExporterCore

struct EventMetricsTests {
    private func answered(_ command: String, took: AttributeValue = 1500) -> Event {
        Event(
            at: 1, kind: "query.answered", source: "gateway/1", query: "00000000000000a1",
            attributes: ["command": .text(command), "status": "ok", "tookMicroseconds": took])
    }

    private func lines(_ metrics: EventMetrics) -> [String] {
        metrics.families.text.split(separator: "\n").map(String.init)
    }

    @Test func `Answers are counted by command and status`() {
        var metrics = EventMetrics()
        metrics.take(answered("show"), lost: 0)
        metrics.take(answered("show"), lost: 4)
        let lines = lines(metrics)
        #expect(lines.contains(#"boxoffice_query_duration_seconds_count{command="show",status="ok"} 2"#))
        #expect(lines.contains(#"boxoffice_query_duration_seconds_sum{command="show",status="ok"} 0.003"#))
        #expect(lines.contains("boxoffice_exporter_events_total 2"))
        #expect(lines.contains("boxoffice_exporter_lost_events_total 4"))
    }

    @Test func `Exchanges are counted by service, kind and outcome`() {
        var metrics = EventMetrics()
        var exchange = Exchange(request: String(repeating: "1", count: 32), beganAt: 1)
        exchange.service = "cache-store"
        exchange.kind = "cache.peek"
        metrics.take(exchange)
        exchange.tookMicroseconds = 700
        exchange.outcome = .answered("stale")
        metrics.take(exchange)
        exchange.outcome = .refused("overloaded")
        metrics.take(exchange)
        let name = "boxoffice_request_duration_seconds_count"
        let counts = lines(metrics).filter { $0.hasPrefix(name) }
        #expect(
            counts == [
                #"\#(name){service="cache-store",kind="cache.peek",outcome="refused"} 1"#,
                #"\#(name){service="cache-store",kind="cache.peek",outcome="stale"} 1"#,
            ])
    }

    @Test func `Calls of upstreams are counted for known services only`() {
        var metrics = EventMetrics()
        for source in ["detail-fetcher/1", "detail-fetcher/HOST-2", "stranger/1"] {
            metrics.take(
                Event(at: 1, kind: "movie.detail.answered", source: source, attributes: ["upstreamCalls": 2]), lost: 0)
        }
        let calls = lines(metrics).filter { $0.hasPrefix("boxoffice_upstream_calls_total") }
        #expect(calls == [#"boxoffice_upstream_calls_total{service="detail-fetcher"} 4"#])
    }

    @Test func `A peer that invents names does not grow the metrics without bound`() {
        var metrics = EventMetrics()
        for number in 0..<1000 { metrics.take(answered("command-\(number)"), lost: 0) }
        let counts = lines(metrics).filter { $0.hasPrefix("boxoffice_query_duration_seconds_count") }
        #expect(counts.count == 300)
        #expect(lines(metrics).contains("boxoffice_exporter_uncounted_durations_total 700"))
    }

    @Test(arguments: [AttributeValue.number(-1), .number(.max), "text", .unknown])
    func `A duration that is none is not counted`(took: AttributeValue) {
        var metrics = EventMetrics()
        metrics.take(answered("show", took: took), lost: -5)
        #expect(!lines(metrics).contains { $0.hasPrefix("boxoffice_query_duration_seconds") })
        #expect(lines(metrics).contains("boxoffice_exporter_lost_events_total 0"))
    }
}
