import Envelope
import Testing

@testable import ExporterCore

struct EventMetricsTests {
    private func query(_ command: String, took: AttributeValue = 1500, status: AttributeValue = "ok") -> Event {
        Event(
            at: 1, kind: "query.answered", source: "gateway/1", query: "00000000000000a1",
            attributes: ["command": .text(command), "status": status, "tookMicroseconds": took])
    }

    private func answer(
        _ kind: String, by source: String, took: AttributeValue = 700, from: String = "gateway/1",
        _ others: [String: AttributeValue] = [:]
    ) -> Event {
        let own: [String: AttributeValue] = ["status": "ok", "workMicroseconds": took, "from": .text(from)]
        return Event(at: 1, kind: "\(kind).answered", source: source, attributes: own.merging(others) { $1 })
    }

    private func lines(_ events: [Event], lost: Int = 0, of name: String) -> [String] {
        var metrics = EventMetrics()
        for event in events { metrics.take(event, lost: lost) }
        return metrics.families.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(name) }
    }

    @Test func `Answers are counted by command and status`() {
        let name = "boxoffice_query_duration_seconds_"
        let events = [query("show"), query("show"), query("show", status: "failed")]
        #expect(
            lines(events, of: "\(name)count") == [
                #"\#(name)count{command="show",status="failed"} 1"#, #"\#(name)count{command="show",status="ok"} 2"#,
            ])
        #expect(lines(events, of: "\(name)sum").last == #"\#(name)sum{command="show",status="ok"} 0.003"#)
        #expect(lines(events, lost: 4, of: "boxoffice_exporter_lost") == ["boxoffice_exporter_lost_events_total 12"])
        #expect(lines(events, lost: -4, of: "boxoffice_exporter_lost") == ["boxoffice_exporter_lost_events_total 0"])
    }

    @Test func `Requests are counted by service, kind and status, on every transport`() {
        let events = [
            answer("movie.detail", by: "detail-fetcher/1"), answer("movie.detail", by: "detail-fetcher/HOST-2"),
            answer("invented", by: "detail-fetcher/1"), answer("movie.detail", by: "stranger/1"),
        ]
        let name = "boxoffice_request_duration_seconds_count"
        #expect(
            lines(events, of: name) == [
                #"\#(name){service="detail-fetcher",kind="movie.detail",status="ok"} 2"#,
                #"\#(name){service="detail-fetcher",kind="other",status="ok"} 1"#,
                #"\#(name){service="other",kind="movie.detail",status="ok"} 1"#,
            ])
    }

    @Test func `Questions about the stack are not counted`() {
        let events = ["service.ping", "service.stats", "cache.stats", "quota.list"].map { answer($0, by: "web/1") }
        let own = answer("cache.peek", by: "cache-store/1", from: "exporter/1")
        #expect(lines(events + [own], of: "boxoffice_request_duration_seconds").isEmpty)
    }

    @Test func `The time at the broker and the calls of upstreams are counted by service`() {
        let dispatched = Event(
            at: 1, kind: "broker.dispatched", source: "broker/1",
            attributes: ["service": "web", "queuedMicroseconds": 20])
        let name = "boxoffice_queue_duration_seconds_count"
        #expect(lines([dispatched], of: name) == [#"\#(name){service="web"} 1"#])
        let events = ["detail-fetcher/1", "detail-fetcher/2"].map {
            answer("movie.detail", by: $0, ["upstreamCalls": 2])
        }
        let calls = "boxoffice_upstream_calls_total"
        #expect(lines(events, of: calls) == [#"\#(calls){service="detail-fetcher"} 4"#])
    }

    @Test func `A peer that invents commands does not grow the metrics without bound`() {
        let long = String(repeating: "x", count: 60_000)
        let events = (0..<1000).map { query("command-\($0)") } + [query(long), query(""), query("a b")]
        let name = "boxoffice_query_duration_seconds_count"
        let counts = lines(events, of: name)
        #expect(counts.count == 41)
        #expect(counts.contains(#"\#(name){command="other",status="ok"} 963"#))
    }

    @Test(arguments: [AttributeValue.number(-1), .number(120_000_001), .number(.max), "text", .unknown])
    func `A duration that is none is not counted`(took: AttributeValue) {
        let events = [query("show", took: took), answer("movie.detail", by: "web/1", took: took)]
        #expect(lines(events, of: "boxoffice_query_duration_seconds").isEmpty)
        #expect(lines(events, of: "boxoffice_request_duration_seconds").isEmpty)
    }
}
