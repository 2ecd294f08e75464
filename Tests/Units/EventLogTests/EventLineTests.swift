import Envelope
import EventText
import Foundation
import Localization
import Testing

@testable import EventLog
@testable import MessageBus

@Suite struct EventLineTests {
    private let format = EventFormat(.en, time: .utc)

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
            stamped(attributes: ["top": 3, "date": "2022-01-05", "cached": true, "command": "show", "A": "z"]).event,
            format)
        #expect(
            line
                == "2026-11-21T08:09:10.123Z  gateway/4711  query.started  3f2a0000  "
                + "A=z  cached=yes  command=show  date=2022-01-05  top=3")
    }

    @Test func `an event without a query has no query digits`() {
        #expect(
            EventLine.text(stamped(kind: "broker.started", source: "broker", query: nil).event, format)
                == "2026-11-21T08:09:10.123Z  broker  broker.started")
    }

    @Test func `JSON is the event with its time as text and its sequence number`() throws {
        let json = try EventLine.json(stamped(attributes: ["top": 3, "cached": false, "title": "경관의 \"피\""]))
        #expect(
            String(decoding: json, as: UTF8.self) == #"""
                {"attributes":{"cached":false,"title":"경관의 \"피\"","top":3},"kind":"query.started","query":"3f2a00000000000b","request":"3f2a00000000000b00000000000000c1","sequence":12,"source":"gateway/4711","time":"2026-11-21T08:09:10.123456Z"}
                """#)
    }

    @Test func `lost events are reported in both forms`() throws {
        #expect(EventLine.gap(37, isJSON: false, format) == "lost 37")
        #expect(EventLine.gap(37, isJSON: false, EventFormat(.ko)) == "이벤트 37개를 놓쳤습니다")
        let json = EventLine.gap(37, isJSON: true, format)
        #expect(try JSONBytes.decode([String: Int].self, from: Array(json.utf8)) == ["lost": 37])
    }

    @Test(arguments: [
        "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1B}[2J", "\u{9B}2J", "\0",
    ])
    func `an event is one line with any content`(control: String) throws {
        let event = stamped(
            kind: "a\(control)b", source: "c\(control)d", query: "e\(control)f",
            attributes: ["g\(control)h": .text("i\(control)j"), "k": "l"])
        let line = EventLine.text(event.event, format)
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
        #expect(
            EventLine.text(stamped(attributes: ["a": "x\ny\u{1B}[31m"]).event, format).hasSuffix(#"  a=x\ny\u{1B}[31m"#)
        )
    }

    @Test func `Hangul is printed unchanged`() {
        #expect(
            EventLine.text(stamped(attributes: ["title": "경관의 피 \u{1F3AC}"]).event, format).hasSuffix(
                "  title=경관의 피 \u{1F3AC}")
        )
    }

    @Test func `a moment is printed in each form of time`() {
        let moments: [Int64] = [1_795_248_550_123_456, 1_795_248_551_623_999, 1_795_248_549_000_000]
        func texts(_ time: EventFormat.Time) -> [Substring?] {
            var format = EventFormat(.en, time: time)
            format.begin(at: moments[0])
            return moments.map { EventLine.text(stamped(at: $0).event, format).split(separator: " ").first }
        }
        #expect(texts(.relative) == ["+0.000", "+1.500", "-1.123"])
        #expect(texts(.utc).last == "2026-11-21T08:09:09.000Z")
        // The hour depends on the zone of the machine.
        #expect(texts(.local).map { $0?.drop { $0 != ":" }.dropFirst(3) } == [":10.123", ":11.623", ":09.000"])
    }

    @Test(arguments: [Int64.min, -1, 0, .max], EventFormat.Time.allCases)
    func `any number of a sender is a moment`(at: Int64, time: EventFormat.Time) {
        var format = EventFormat(.ko, time: time)
        format.begin(at: 0)
        #expect(EventLine.text(stamped(at: at).event, format).hasSuffix("query.started  3f2a0000"))
    }

    @Test func `a line of JSON is read back as its event`() throws {
        let event = stamped(attributes: ["top": 3, "cached": false, "title": "경관의 피"])
        let read = try #require(EventLine.event(EventLine.json(event)))
        #expect(read.event == event.event && read.stamp.sequence == 12)
        for other in ["", "{}", #"{"lost":3}"#, #"{"time":"x","sequence":1,"kind":"k","source":"s","attributes":{}}"#] {
            #expect(EventLine.event(Array(other.utf8)) == nil)
        }
    }
}
