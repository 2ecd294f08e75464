import Envelope
import Foundation
import Testing

@Suite struct EventTests {
    private let event = Event(
        at: 1_795_248_550_123_456, kind: "chart.fetched", source: "chart-fetcher/1", query: "00000000000000a1",
        request: "00000000000000a100000000000000b2",
        attributes: ["date": "2022-01-05", "calls": 2, "stored": true, "bytes": .number(Int(Int64.max))])

    @Test func `an event is one stable JSON object`() throws {
        let json = #"""
            {"at":1795248550123456,"attributes":{"bytes":9223372036854775807,"calls":2,"date":"2022-01-05","stored":true},"kind":"chart.fetched","query":"00000000000000a1","request":"00000000000000a100000000000000b2","source":"chart-fetcher/1"}
            """#
        #expect(String(decoding: try JSONBytes.encode(event), as: UTF8.self) == json)
        #expect(try JSONBytes.decode(Event.self, from: Array(json.utf8)) == event)
    }

    @Test(arguments: [
        Event(at: .min, kind: "k", source: "s"),
        Event(at: 1, kind: "한글", source: "s", query: "q", attributes: ["a": .number(.min), "b": "", "c": false]),
        Event(at: 1, kind: "k", source: "s", request: "r", attributes: ["한": "·é"]),
    ])
    func `a plain event is read by the fast reader as by the decoder`(event: Event) throws {
        #expect(Event(plainJSON: event.json()) == event)
        #expect(try JSONDecoder().decode(Event.self, from: Data(event.json())) == event)
    }

    @Test(arguments: [
        #"{"at":1,"attributes":{"a":1.5},"kind":"k","source":"s"}"#,
        #"{"at":1,"attributes":{"a":1,"a":2},"kind":"k","source":"s"}"#,
        #"{"at":1,"attributes":{"a":1e2},"kind":"k","source":"s"}"#,
        #"{"at":1,"attributes":{},"kind":"k\u0041","source":"s"}"#,
        #"{"at":1,"attributes":{},"kind":"k","source":"s"} "#,
        #"{"at":1,"attributes":{},"kind":"k","query":null,"source":"s"}"#,
        #"{"at":1,"attributes":{},"kind":"k","source":"s","weight":1}"#, #"{"at":1,"kind":"k","source":"s"}"#, "", "{",
    ])
    func `an event that is not plain is left to the decoder`(json: String) {
        #expect(Event(plainJSON: Array(json.utf8)) == nil)
    }

    @Test func `an event without ids and with fields of a later release is read`() throws {
        let json = #"{"at":0,"attributes":{},"kind":"broker.started","source":"broker","weight":[1]}"#
        #expect(
            try JSONBytes.decode(Event.self, from: Array(json.utf8))
                == Event(at: 0, kind: "broker.started", source: "broker"))
    }

    @Test(
        arguments: [
            ("true", true), ("false", false), ("0", 0), ("1", 1), ("-7", -7), (#""""#, ""), (#""true""#, "true"),
            (#""1""#, "1"), (#""줄\n바꿈""#, "줄\n바꿈"),
        ] as [(String, AttributeValue)])
    func `an attribute keeps its type`(json: String, value: AttributeValue) throws {
        #expect(try JSONBytes.decode([AttributeValue].self, from: Array("[\(json)]".utf8)) == [value])
        #expect(String(decoding: try JSONBytes.encode([value]), as: UTF8.self) == "[\(json)]")
    }

    @Test(arguments: ["1.5", "null", "[]", "{}", "9223372036854775808"])
    func `an attribute of another type is unknown, and the event is still read`(json: String) throws {
        let event = try JSONBytes.decode(
            Event.self, from: Array(#"{"at":7,"attributes":{"a":\#(json),"b":2},"kind":"k","source":"s"}"#.utf8))
        #expect(event == Event(at: 7, kind: "k", source: "s", attributes: ["a": .unknown, "b": 2]))
        #expect(String(decoding: try JSONBytes.encode([AttributeValue.unknown]), as: UTF8.self) == "[null]")
    }

    @Test func `attributes have readable descriptions`() {
        #expect(["\(AttributeValue.flag(true))", "\(AttributeValue.flag(false))"] == ["yes", "no"])
        #expect(
            ["\(AttributeValue.number(-1))", "\(AttributeValue.text("어제"))", "\(AttributeValue.unknown)"] == [
                "-1", "어제", "?",
            ])
    }
}

@Suite struct EventStampTests {
    @Test func `a stamp is sixteen bytes, big-endian`() {
        let stamp = EventStamp(epoch: 0x0102_0304_0506_0708, sequence: 0xFEDC)
        #expect(stamp.encoded == [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0xFE, 0xDC])
    }

    @Test(arguments: [(0, 0), (1, 1 << 62 - 1), (.max, 1)] as [(UInt64, UInt64)])
    func `a stamp reads back as itself`(epoch: UInt64, sequence: UInt64) {
        let stamp = EventStamp(epoch: epoch, sequence: sequence)
        #expect(EventStamp(stamp.encoded) == stamp)
    }

    @Test("A sequence number that no broker reaches is not a stamp", arguments: [1 << 62, UInt64.max])
    func hostileSequence(sequence: UInt64) {
        #expect(EventStamp(EventStamp(epoch: 1, sequence: sequence).encoded) == nil)
    }

    @Test(arguments: [0, 1, 8, 15, 17, 32])
    func `another number of bytes is not a stamp`(count: Int) {
        #expect(EventStamp(Array(repeating: 1, count: count)) == nil)
    }
}
