import Envelope
import Localization
import Testing

@Suite struct HeaderTests {
    private static let failure = Failure(
        .overloaded, LocalizedText(ko: "밀려 있습니다.", en: "The queue is full."), isRetryable: true, httpStatus: 503)

    @Test(arguments: [ReplyStatus.ok, .stale, .failed])
    func `a header with all fields is equal after encoding and decoding`(status: ReplyStatus) throws {
        let header = Header(
            query: HexadecimalID(rawValue: 0xa1), parent: HexadecimalID(rawValue: 0xb2), kind: "movie.detail",
            sender: "detail-fetcher/2",
            traceparent: TraceParent(query: 0xa1, call: 0xb2), status: status,
            failure: Self.failure,
            cache: CacheStatus(
                hit: false, fwd: .stale, collapsed: false, stored: true, ttl: -1, age: 0, detail: "\"\\/\u{1F3AC}"),
            timing: RequestTiming(workMicroseconds: 0, upstreamMicroseconds: .max, upstreamCalls: 3))
        let envelope = Envelope(header: header, payload: [0, 0xFF], attachments: [[], [1]])
        #expect(try Envelope(frames: envelope.frames()[...]) == envelope)
    }

    @Test func `a new header has the current version`() {
        let header = Header(
            query: HexadecimalID(rawValue: 0xa1), kind: "k", sender: "s",
            traceparent: TraceParent(query: 0xa1, call: 0xb2))
        #expect(header.schema == .current)
        #expect(SchemaVersion.current.description == "1.0")
    }

    @Test func `a failure is stable JSON`() throws {
        let json = #"""
            {"code":"overloaded","httpStatus":503,"isRetryable":true,"message":{"en":"The queue is full.","ko":"밀려 있습니다."}}
            """#
        #expect(String(decoding: try JSONBytes.encode(Self.failure), as: UTF8.self) == json)
    }

    @Test(
        arguments: [
            (CacheStatus(hit: true), #"{"hit":true}"#),
            (CacheStatus(hit: false, fwd: .uriMiss), #"{"fwd":"miss","hit":false}"#),
            (CacheStatus(hit: false, fwd: .bypass, stored: false), #"{"fwd":"bypass","hit":false,"stored":false}"#),
            (CacheStatus(hit: true, fwd: .stale, ttl: -5), #"{"fwd":"stale","hit":true,"ttl":-5}"#),
        ])
    func `cache attributes use the terms of RFC 9211, and unknown ones are omitted`(
        attributes: CacheStatus, json: String
    ) throws {
        #expect(String(decoding: try JSONBytes.encode(attributes), as: UTF8.self) == json)
    }

    @Test func `timing attributes omit an upstream that was not called`() throws {
        let json = try JSONBytes.encode(RequestTiming(workMicroseconds: 12))
        #expect(String(decoding: json, as: UTF8.self) == #"{"workMicroseconds":12}"#)
    }
}
