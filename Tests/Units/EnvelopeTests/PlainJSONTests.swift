import FlatJSON
import Foundation
import Localization
import Testing

@testable import Envelope

private let current = SchemaVersion.current
private let trace = TraceParent(query: 0xa1, call: 0xb2)

/// Compares the fast JSON writer and reader of messages with the encoder and decoder that define the format.
@Suite struct PlainJSONTests {
    private static let texts = [
        "", "chart.daily", "한글 제목", "e\u{301}", "\"quoted\" \\ back/slash", "\u{8}\t\n\u{c}\r", "\u{0}\u{1f}\u{7f}",
        "\u{80}\u{9f}\u{a0}·é\u{61c}\u{200d}\u{200e}\u{202e}…\u{2066}\u{2069}\u{206a}",
        "🎬\u{2028}",
    ]
    private static let failure = Failure(
        .timeout, LocalizedText(ko: "시간 초과", en: "Time \"out\""), isRetryable: true, httpStatus: 504)

    private static var headers: [Header] {
        texts.flatMap { text -> [Header] in
            let plain = Header(
                query: HexadecimalID(rawValue: 0xa1), kind: text, sender: text,
                traceparent: TraceParent(query: 0xa1, call: 0xb2))
            var reply = plain
            reply.parent = HexadecimalID(rawValue: 0xb2)
            reply.status = .stale
            reply.failure = failure
            reply.cache = CacheStatus(hit: false, fwd: .stale, ttl: -1, detail: text)
            reply.timing = RequestTiming(workMicroseconds: 12)
            var request = plain
            request.requestClass = RequestClass(rawValue: text)
            return [plain, request, reply]
        }
    }

    @Test(arguments: headers) func `a header is written as the encoder writes it`(header: Header) throws {
        #expect(try header.json() == JSONBytes.encode(header))
    }

    @Test(arguments: headers) func `a header is read as the decoder reads it`(header: Header) throws {
        let json = try header.json()
        if let read = Header(plainJSON: json) { #expect(read == header) }
        #expect(try Envelope(frames: [json, []]).header == header)
    }

    @Test func `a header without escapes is read by the fast reader`() throws {
        for status in [.ok, ReplyStatus(rawValue: "a status of tomorrow"), nil] {
            var header = Header(
                query: HexadecimalID(rawValue: 0xa1), kind: "한글", sender: "s",
                traceparent: TraceParent(query: 0xa1, call: 0xb2), status: status)
            #expect(Header(plainJSON: try header.json()) == header)
            header.parent = HexadecimalID(rawValue: .max)
            header.failure = Failure(.timeout, LocalizedText(ko: "시간", en: "time"), isRetryable: true)
            header.cache = CacheStatus(hit: true, ttl: 1)
            header.timing = RequestTiming(workMicroseconds: 12)
            #expect(Header(plainJSON: try header.json()) == header)
        }
    }

    @Test(
        arguments: [
            #"{"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"} "#,
            #"{"kind":"k","query":"00000000000000a1","schema":"1.999","sender":"s","traceparent":"\#(trace)"}"#,
            #"{"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)","new":1}"#,
            #"{"kind":"k\u0041","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
            #"{ "kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
            #"{"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","status":null,"traceparent":"\#(trace)"}"#,
            #"{"query":"00000000000000a1","kind":"k","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
            #"{"kind":"k","kind":"l","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
            #"{"cache":{"hit":true,"new":[1]},"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
        ])
    func `JSON that is not plain requires the decoder, which reads it`(json: String) throws {
        let bytes = Array(json.utf8)
        #expect(Header(plainJSON: bytes) == nil)
        #expect(try Envelope(frames: [bytes, []]).header.sender == "s")
    }

    @Test(
        arguments: [
            "", "{", "{}", "[]", "null", #"{"kind":"#, #"{"kind":"k"}"#, #"{"kind":"k","query":"00000000000000a1"}"#,
            #"{"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}}"#,
            #"{"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)""#,
            #"{"cache":{"hit":1},"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
            #"{"cache":{"#,
            #"{"class":1,"kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#,
        ])
    func `an invalid header is refused by both readers`(json: String) {
        let bytes = Array(json.utf8)
        #expect(Header(plainJSON: bytes) == nil)
        #expect(throws: Failure.self) { try Envelope(frames: [bytes, []]) }
    }

    @Test(arguments: [1, 7, 510, 511, 512, 513, 600])
    func `a deeply nested header is read by both readers or by neither`(depth: Int) {
        let nested = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        let json =
            #"{"failure":{"code":"timeout","isRetryable":true,"message":{"en":"b","ko":"a"},"new":\#(nested)},"#
            + #""kind":"k","query":"00000000000000a1","schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#
        let bytes = Array(json.utf8)
        let decoded = try? JSONBytes.decode(Header.self, from: bytes)
        let read = Header(plainJSON: bytes)
        if depth == 1 { #expect(read != nil) }
        if let read { #expect(read == decoded) }
    }

    /// Found by fuzzing.
    @Test(arguments: ["", #""query":"00000000000000a1","#])
    func `a field that is not text is refused, even with a second field of the same name`(another: String) {
        let bytes =
            Array(#"{"kind":"k","query":""#.utf8) + [0xff]
            + Array(#"",\#(another)"schema":"\#(current)","sender":"s","traceparent":"\#(trace)"}"#.utf8)
        #expect(Header(plainJSON: bytes) == nil)
        #expect(throws: Failure.self) { try Envelope(frames: [bytes, []]) }
    }

    @Test("Terminal control characters and direction marks are escaped, and decode to the same text")
    func controls() throws {
        let text = "가\u{7F}\u{9B}2J\u{A0}\u{61C}\u{200E}\u{202E}\u{2069}·…é"
        let json = try JSONBytes.encode([text])
        let written = #"["가\u007f\u009b2J\#u{A0}\u061c\u200e\u202e\u2069·…é"]"#
        #expect(String(decoding: json, as: UTF8.self) == written)
        #expect(try JSONBytes.decode([String].self, from: json) == [text])
        // Escaped text, and text that is cut within a character, is unchanged.
        #expect(JSONControls.escape(json) == json)
        for bytes in [[0xC2], [0xE2], [0xE2, 0x80], [0xD8], [0xE2, 0x80, 0x20], [0xED, 0x95, 0x9C]] as [[UInt8]] {
            #expect(JSONControls.escape(bytes) == bytes)
        }
    }

    @Test func `a truncated header is invalid`() throws {
        let json = try #require(try Self.headers.last?.json())
        for count in json.indices { #expect(Header(plainJSON: Array(json[..<count])) == nil) }
    }

    @Test(arguments: texts) func `an event is written as the encoder writes it`(text: String) throws {
        let event = Event(
            at: .min, kind: text, source: text, query: text, request: text,
            attributes: [
                "a": .text(text), "B": .number(.min), "b": .number(.max), "": .flag(true), "가\"": .flag(false), "aa": 0,
                "unknown": .unknown,
            ])
        #expect(try event.json() == JSONBytes.encode(event))
        let bare = Event(at: 0, kind: text, source: "")
        #expect(try bare.json() == JSONBytes.encode(bare))
    }

    private static func encoded(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONControls.escape(Array(try encoder.encode(value)))
    }

    static let cacheStatuses: [CacheStatus] = [
        CacheStatus(hit: true), CacheStatus(hit: false, fwd: .uriMiss, stored: false),
        CacheStatus(hit: true, fwd: .stale, collapsed: true, stored: true, ttl: .min, age: .max, detail: "한글 \"a/b\""),
        CacheStatus(hit: false, fwd: .init(rawValue: "a word of tomorrow"), ttl: 0, age: -0),
    ]

    @Test(arguments: cacheStatuses) func `a cache status is written and read as by the encoder`(value: CacheStatus)
        throws
    {
        let json = try Self.encoded(value)
        #expect(value.json() == json)
        if let read = CacheStatus(plainJSON: json) { #expect(read == value) }
        #expect(try JSONBytes.decode(CacheStatus.self, from: json) == value)
    }

    @Test(
        arguments: [
            RequestTiming(workMicroseconds: 0),
            RequestTiming(workMicroseconds: 12, upstreamMicroseconds: .max, upstreamCalls: 3),
            RequestTiming(workMicroseconds: 1, upstreamCalls: 2, upstreamOutcomes: ["500", "a\"b", "한글"]),
            RequestTiming(workMicroseconds: 1, upstreamOutcomes: []),
        ])
    func `a timing is written and read as by the encoder`(value: RequestTiming) throws {
        let json = try Self.encoded(value)
        #expect(value.json() == json)
        if let read = RequestTiming(plainJSON: json) { #expect(read == value) }
        #expect(try JSONBytes.decode(RequestTiming.self, from: json) == value)
    }

    @Test func `a timing with and without outcomes is plain`() {
        for value in [
            RequestTiming(workMicroseconds: 1, upstreamCalls: 2, upstreamOutcomes: ["500", "timeout"]),
            RequestTiming(workMicroseconds: 12, upstreamMicroseconds: 3, upstreamCalls: 1),
        ] {
            #expect(RequestTiming(plainJSON: value.json()) == value)
        }
    }

    @Test(
        arguments: [
            #"{"hit":true,"hit":true}"#, #"{"hit":true,"ttl":01}"#, #"{"hit":true,"ttl":1.5}"#,
            #"{"hit":true,"ttl":1e3}"#,
            #"{"hit":true,"ttl":9223372036854775808}"#, #"{"hit":true,"ttl":-}"#, #"{"hit":true,"ttl":}"#,
            #"{"hit":truefalse}"#, #"{"hit":tru"#, #"{"ttl":1}"#, #"{"hit":true,"new":1}"#, #"{"hit":true} "#, "{}", "",
            #"{"hit":null}"#, #"{"hit":true,"detail":"a\\n"}"#,
        ])
    func `text that is not plain requires the decoder`(text: String) {
        let bytes = Array(text.utf8)
        #expect(CacheStatus(plainJSON: bytes) == nil)
        let decoded = try? JSONDecoder().decode(CacheStatus.self, from: Data(bytes))
        #expect((try? JSONBytes.decode(CacheStatus.self, from: bytes)) == decoded)
    }

    @Test(arguments: [Int.min, -1, 0, 7, 10, .max]) func `whole numbers are read to their limits`(number: Int) throws {
        let value = CacheStatus(hit: false, ttl: number)
        #expect(CacheStatus(plainJSON: try Self.encoded(value)) == value)
    }
}
