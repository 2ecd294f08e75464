import Envelope
import MessageBus
import Testing

@testable import ExporterCore

struct SpanTests {
    private static let query = "00000000000000a1"
    private static let call = "00000000000000b2"

    private func answered(
        _ query: String?, at: Int64 = 3_000_000, status: AttributeValue = "ok", took: Int = 2500
    ) -> Event {
        Event(
            at: at, kind: "query.answered", source: "gateway/4711", query: query,
            attributes: ["command": "show", "status": status, "tookMicroseconds": .number(took)])
    }

    private func request(
        _ request: String? = query + call, kind: String = "movie.detail", at: Int64 = 3_000_000,
        with others: [String: AttributeValue] = [:]
    ) -> Event {
        let own: [String: AttributeValue] = [
            "from": "gateway/4711", "status": "ok", "workMicroseconds": 1500, "upstreamMicroseconds": 1000,
            "key": "movie.detail?code=1",
        ]
        return Event(
            at: at, kind: "\(kind).answered", source: "detail-fetcher/2", query: Self.query, request: request,
            attributes: own.merging(others) { $1 })
    }

    @Test func `A query is the root of the trace that its messages carry`() throws {
        let span = try #require(Span(answered(Self.query)))
        #expect((span.trace, span.id) == (Self.query + Self.query, Self.query))
        #expect(span.parent == nil)
        #expect((span.start, span.end) == (2_997_500, 3_000_000))
        #expect((span.service, span.instance) == ("gateway", "gateway/4711"))
        let parent = TraceParent(query: 0xa1, call: 0xa1).description
        #expect(parent == "00-\(span.trace)-\(span.id)-01")
        #expect(span.error == nil)
        #expect(Span(answered(Self.query, status: "failed"))?.error == "failed")
    }

    @Test func `A request is a child of the call that caused it, else of the query`() throws {
        let span = try #require(Span(request()))
        #expect((span.trace, span.id, span.parent) == (Self.query + Self.query, Self.call, Self.query))
        #expect((span.start, span.end) == (2_998_500, 3_000_000))
        #expect((span.name, span.service) == ("movie.detail", "detail-fetcher"))
        #expect(span.attributes.contains { $0.name == "boxoffice.upstream.duration" && $0.value == .seconds(0.001) })
        #expect(Span(request(with: ["parent": "00000000000000c3"]))?.parent == "00000000000000c3")
        #expect(Span(request(with: ["parent": "nonsense"]))?.parent == Self.query)
    }

    @Test func `A failed request is an error with its reason`() {
        for (status, code, error) in [
            ("failed", "upstream_timeout" as AttributeValue?, "upstream_timeout" as String?), ("failed", nil, "failed"),
            ("stale", "upstream_timeout", nil),
        ] {
            let span = Span(
                request(with: ["status": .text(status), "code": code ?? .unknown].filter { $0.value != .unknown }))
            #expect(span != nil)
            #expect(span?.error == error)
            #expect(span?.attributes.contains { $0.name == "error.type" } == (error != nil))
        }
    }

    @Test func `Without valid ids, of other events, and of questions about the stack there is no span`() {
        for query in [nil, "", "0000000000000000", "00000000000000A1", "a1", "00000000000000a\u{e9}"] {
            #expect(Span(answered(query)) == nil)
        }
        for id in [nil, "", String(repeating: "0", count: 32), Self.query + "0000000000000000", "é" + Self.query] {
            #expect(Span(request(id)) == nil)
        }
        #expect(Span(request(Self.call + Self.call)) == nil)
        #expect(Span(request(kind: "service.ping")) == nil)
        #expect(Span(request(with: ["from": "exporter/1"])) == nil)
        #expect(Span(Event(at: 1, kind: "broker.answered", source: "broker/1", query: Self.query)) == nil)
    }

    @Test(arguments: [Int64.min, -1, .max], [Int.min, -1, .max])
    func `Times of events fit into nanoseconds`(at: Int64, took: Int) throws {
        let ofQuery = answered(Self.query, at: at, took: took)
        let ofRequest = request(at: at, with: ["workMicroseconds": .number(took)])
        for event in [ofQuery, ofRequest] {
            let span = try #require(Span(event))
            #expect(0...span.end ~= span.start)
            #expect(!span.end.multipliedReportingOverflow(by: 1000).overflow)
        }
    }

    @Test func `A waiting span takes a bounded space`() throws {
        let long = AttributeValue.text(String(repeating: "\u{301}", count: 30_000))
        let span = try #require(Span(request(with: ["key": long, "from": long, "cache": long, "code": long])))
        for attribute in span.attributes {
            if case .text(let text) = attribute.value { #expect(text.utf8.count <= 300) }
        }
    }

    @Test func `The request has one resource for each instance`() throws {
        let failed = request(with: ["status": "failed", "code": "expired"])
        let spans = [Span(answered(Self.query)), Span(request()), Span(failed)].compactMap(\.self)
        let text = String(decoding: try JSONBytes.encode(TraceRequest(spans, version: "1.2.3")), as: UTF8.self)
        #expect(text.ranges(of: #""resource":{"#).count == 2)
        #expect(text.contains(#""startTimeUnixNano":"2998500000""#))
        #expect(text.contains(#""status":{"code":2,"message":"expired"}"#))
        #expect(text.contains(#"{"key":"service.instance.id","value":{"stringValue":"detail-fetcher/2"}}"#))
        #expect(text.contains(#"{"key":"boxoffice.upstream.duration","value":{"doubleValue":0.001}}"#))
    }
}
