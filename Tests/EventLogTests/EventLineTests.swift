import Envelope
import Foundation
import Testing

@testable import EventLog
@testable import MessageBus

@Suite struct EventLineTests {
    private func stamped(
        at: Int64 = 1_795_248_550_123_456, kind: String = "query.started", source: String = "gateway/4711",
        query: String? = "3f2a00000000000b", attributes: [String: AttributeValue] = [:]
    ) -> StampedEvent {
        StampedEvent(
            stamp: EventStamp(epoch: 9, sequence: 12),
            event: Event(
                at: at, kind: kind, source: source, query: query, request: query.map { $0 + "00000000000000c1" },
                attributes: attributes))
    }

    @Test func `a line is time, source, kind, the query's first digits and the attributes in order`() {
        let line = EventLine.text(
            stamped(attributes: ["top": 3, "date": "2022-01-05", "cached": true, "command": "show", "A": "z"]).event)
        #expect(
            line
                == "2026-11-21T08:09:10.123456Z  gateway/4711  query.started  3f2a0000  "
                + "A=z  cached=yes  command=show  date=2022-01-05  top=3")
    }

    @Test func `an event without a query has no query digits`() {
        #expect(
            EventLine.text(stamped(kind: "broker.started", source: "broker", query: nil).event)
                == "2026-11-21T08:09:10.123456Z  broker  broker.started")
    }

    @Test func `JSON is the event with its time as text and its sequence number`() throws {
        let json = try EventLine.json(stamped(attributes: ["top": 3, "cached": false, "title": "경관의 \"피\""]))
        #expect(
            String(decoding: json, as: UTF8.self) == #"""
                {"attributes":{"cached":false,"title":"경관의 \"피\"","top":3},"kind":"query.started","query":"3f2a00000000000b","request":"3f2a00000000000b00000000000000c1","sequence":12,"source":"gateway/4711","time":"2026-11-21T08:09:10.123456Z"}
                """#)
    }

    @Test func `lost events are reported in both forms`() throws {
        #expect(EventLine.gap(37, isJSON: false) == "lost 37")
        let json = EventLine.gap(37, isJSON: true)
        #expect(try JSONBytes.decode([String: Int].self, from: Array(json.utf8)) == ["lost": 37])
    }

    @Test(arguments: [
        "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1B}[2J", "\u{9B}2J", "\0",
    ])
    func `an event is one line with any content`(control: String) throws {
        let event = stamped(
            kind: "a\(control)b", source: "c\(control)d", query: "e\(control)f",
            attributes: ["g\(control)h": .text("i\(control)j"), "k": "l"])
        let line = EventLine.text(event.event)
        #expect(
            line.unicodeScalars.allSatisfy {
                ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            })
        #expect(line.hasSuffix("  k=l"))
        let json = try EventLine.json(event)
        #expect(!json.contains(UInt8(ascii: "\n")) && !json.contains(UInt8(ascii: "\r")) && !json.contains(0x1B))
        let attributes = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])["attributes"]
        #expect((attributes as? [String: String])?["g\(control)h"] == "i\(control)j")
    }

    @Test func `an escape names the replaced character`() {
        #expect(EventLine.text(stamped(attributes: ["a": "x\ny\u{1B}[31m"]).event).hasSuffix(#"  a=x\ny\u{1B}[31m"#))
    }

    @Test func `Hangul is printed unchanged`() {
        #expect(
            EventLine.text(stamped(attributes: ["title": "경관의 피 \u{1F3AC}"]).event).hasSuffix("  title=경관의 피 \u{1F3AC}")
        )
    }
}
