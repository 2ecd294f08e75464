import Envelope
import Localization
import Testing

@Suite struct HeaderTests {
    private static let failure = Failure(
        .overloaded, LocalizedText(ko: "밀려 있습니다.", en: "The queue is full."), isRetryable: true, httpStatus: 503)

    @Test(arguments: [ReplyStatus.ok, .stale, .failed])
    func `a header with all it can hold reads back as itself`(status: ReplyStatus) throws {
        let header = Header(
            query: "00000000000000a1", parent: "00000000000000b2", kind: "movie.detail", sender: "detail-fetcher/2",
            traceparent: "00-00000000000000a100000000000000a1-00000000000000b2-01", status: status,
            failure: Self.failure,
            cache: CacheFacts(
                hit: false, fwd: .stale, collapsed: false, stored: true, ttl: -1, age: 0, detail: "\"\\/\u{1F3AC}"),
            timing: TimingFacts(workMicroseconds: 0, upstreamMicroseconds: .max, upstreamCalls: 3))
        let envelope = Envelope(header: header, payload: [0, 0xFF], attachments: [[], [1]])
        #expect(try Envelope(frames: envelope.frames()) == envelope)
    }

    @Test func `a new header has the current version`() {
        let header = Header(query: "a1", kind: "k", sender: "s", traceparent: "t")
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
            (CacheFacts(hit: true), #"{"hit":true}"#),
            (CacheFacts(hit: false, fwd: .uriMiss), #"{"fwd":"miss","hit":false}"#),
            (CacheFacts(hit: false, fwd: .bypass, stored: false), #"{"fwd":"bypass","hit":false,"stored":false}"#),
            (CacheFacts(hit: true, fwd: .stale, ttl: -5), #"{"fwd":"stale","hit":true,"ttl":-5}"#),
        ])
    func `cache facts are the words of RFC 9211, and only those that are known`(facts: CacheFacts, json: String) throws
    {
        #expect(String(decoding: try JSONBytes.encode(facts), as: UTF8.self) == json)
    }

    @Test func `timing facts leave out an upstream that was not asked`() throws {
        let json = try JSONBytes.encode(TimingFacts(workMicroseconds: 12))
        #expect(String(decoding: json, as: UTF8.self) == #"{"workMicroseconds":12}"#)
    }
}
