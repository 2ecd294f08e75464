import Envelope
import EventLog
import MessageBus
import Testing

@testable import ExporterCore

struct SpanTests {
    private static let query = "00000000000000a1"
    private static let call = "00000000000000b2"

    private var exchange: Exchange {
        var exchange = Exchange(request: Self.query + Self.call, beganAt: 2_000_000)
        exchange.service = "detail-fetcher"
        exchange.instance = "detail-fetcher/2"
        exchange.kind = "movie.detail"
        exchange.outcome = .answered("ok")
        exchange.tookMicroseconds = 1500
        exchange.queuedMicroseconds = 20
        exchange.upstreamMicroseconds = 1000
        return exchange
    }

    private func answered(_ query: String?, at: Int64 = 3_000_000, status: AttributeValue = "ok") -> Event {
        Event(
            at: at, kind: "query.answered", source: "gateway/4711", query: query,
            attributes: ["command": "show", "status": status, "tookMicroseconds": 2500])
    }

    @Test func `A query is the root of the trace that its messages carry`() throws {
        let span = try #require(Span(queryAnswered: answered(Self.query)))
        #expect((span.trace, span.id) == (Self.query + Self.query, Self.query))
        #expect(span.parent == nil)
        #expect((span.start, span.end) == (2_997_500, 3_000_000))
        #expect((span.service, span.instance) == ("gateway", "gateway/4711"))
        let parent = TraceParent(query: 0xa1, call: 0xa1).description
        #expect(parent == "00-\(span.trace)-\(span.id)-01")
        #expect(span.error == nil)
        #expect(Span(queryAnswered: answered(Self.query, status: "failed"))?.error == "failed")
    }

    @Test func `A request is a child of the call that caused it, else of the query`() throws {
        var exchange = exchange
        let span = try #require(Span(exchange))
        #expect((span.trace, span.id, span.parent) == (Self.query + Self.query, Self.call, Self.query))
        #expect((span.start, span.end) == (2_000_000, 2_001_500))
        #expect(span.attributes.contains { $0.name == "boxoffice.upstream.duration" && $0.value == .seconds(0.001) })
        exchange.parent = "00000000000000c3"
        #expect(Span(exchange)?.parent == "00000000000000c3")
    }

    @Test func `A refused, cancelled or failed request is an error with its reason`() {
        for (outcome, code, error) in [
            (Exchange.Outcome.refused("overloaded"), nil as String?, "overloaded"), (.cancelled, nil, "cancelled"),
            (.answered("failed"), "upstream_timeout", "upstream_timeout"), (.answered("failed"), nil, "failed"),
            (.answered("stale"), "upstream_timeout", nil as String?),
        ] {
            var exchange = exchange
            (exchange.outcome, exchange.code) = (outcome, code)
            let span = Span(exchange)
            #expect(span != nil)
            #expect(span?.error == error)
            #expect(span?.attributes.contains { $0.name == "error.type" } == (error != nil))
        }
    }

    @Test func `Without valid ids or an end there is no span`() {
        for query in [nil, "", "0000000000000000", "00000000000000A1", "a1", "00000000000000a\u{e9}"] {
            #expect(Span(queryAnswered: answered(query)) == nil)
        }
        for request in ["", String(repeating: "0", count: 32), Self.query + "0000000000000000", "é" + Self.query] {
            var exchange = Exchange(request: request, beganAt: 1)
            exchange.tookMicroseconds = 1
            exchange.outcome = .cancelled
            #expect(Span(exchange) == nil)
        }
        var open = exchange
        open.outcome = .open
        #expect(Span(open) == nil)
    }

    @Test(arguments: [Int64.min, -1, .max])
    func `Times of events fit into nanoseconds`(at: Int64) throws {
        var exchange = exchange
        exchange.beganAt = at
        for span in [Span(exchange), Span(queryAnswered: answered(Self.query, at: at))] {
            let span = try #require(span)
            #expect(0...span.end ~= span.start)
            #expect(!span.end.multipliedReportingOverflow(by: 1000).overflow)
        }
    }

    @Test func `The request has one resource for each instance`() throws {
        var failed = exchange
        failed.outcome = .refused("expired")
        failed.instance = nil
        let spans = [Span(queryAnswered: answered(Self.query)), Span(exchange), Span(failed)].compactMap(\.self)
        let text = String(decoding: try JSONBytes.encode(TraceRequest(spans, version: "1.2.3")), as: UTF8.self)
        #expect(text.components(of: #""resource":{"#) == 3)
        #expect(text.contains(#""startTimeUnixNano":"2000000000""#))
        #expect(text.contains(#""status":{"code":2,"message":"expired"}"#))
        #expect(text.contains(#"{"key":"service.instance.id","value":{"stringValue":"detail-fetcher/2"}}"#))
        #expect(text.contains(#"{"key":"boxoffice.queue.duration","value":{"doubleValue":2e-05}}"#))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        ranges(of: part).count
    }
}
