import Envelope
import EventText
import Foundation
import Localization
import TerminalText
import Testing

@testable import EventLog

@Suite struct ConversationTests {
    /// A detail request that calls the cache twice.
    private let events: [Event] = [
        Samples.event(
            "query.started", call: nil, at: 1000, source: "gateway/4711", ["command": "show", "date": "2022-01-05"]),
        Samples.queued(1, at: 2000), Samples.dispatched(1, at: 2001),
        Samples.queued(2, at: 2500, "cache-store"), Samples.dispatched(2, at: 2501, to: "cache-store/1"),
        child(2, at: 2800, "cache.get"), Samples.answered(2, at: 2900, took: 400, by: "cache-store/1"),
        Samples.event("chart.revised", call: nil, at: 3000, source: "chart-fetcher/1", ["date": "2022-01-05"]),
        Samples.queued(3, at: 3500, "cache-store"), child(3, at: 3600, "cache.put"),
        Samples.answered(3, at: 3700, took: 200, by: "cache-store/1"), Samples.workerAnswer(1, at: 4000),
        Samples.answered(1, at: 4100, took: 2100),
        Samples.event("query.answered", call: nil, at: 5000, source: "gateway/4711", ["tookMicroseconds": 4000]),
    ]

    private static func child(_ call: Int, at: Int64, _ kind: String) -> Event {
        Samples.workerAnswer(
            call, at: at, kind: kind, by: "cache-store/1",
            attributes: ["status": "ok", "from": "detail-fetcher/2", "parent": .text(Samples.hexadecimal(1))])
    }

    @Test func `a call is a child of the call that caused it`() {
        let conversation = Conversation(query: Samples.query, events: events)
        #expect(conversation.nodes.map(\.depth) == [0, 1, 1])
        #expect(conversation.nodes.map(\.exchange.kind) == ["movie.detail", "cache.get", "cache.put"])
        #expect(conversation.otherEvents.map(\.kind) == ["chart.revised"])
        #expect(conversation.span == 1000...5000)
    }

    @Test func `its text is the query, its indented calls, and other events`() {
        let lines = Conversation(query: Samples.query, events: events).lines(EventFormat(.en, time: .utc))
        #expect(
            lines == [
                "query 3f2a00000000000b  1970-01-01T00:00:00.001Z  gateway/4711  show date=2022-01-05  4.0 ms",
                "    +1.0      2.1 ms  ok      movie.detail?code=20199882  detail-fetcher/2",
                "    +1.5      0.4 ms  ok        cache.get  cache-store/1",
                "    +2.5      0.2 ms  ok        cache.put  cache-store/1",
                "1970-01-01T00:00:00.003Z  chart-fetcher/1  chart.revised  3f2a0000  date=2022-01-05",
            ])
    }

    @Test func `a query without its first events is readable`() {
        let conversation = Conversation(query: Samples.query, events: Array(events.dropFirst(3).dropLast()))
        #expect(conversation.start == nil && conversation.nodes.count == 3)
        #expect(conversation.lines(EventFormat(.en, time: .utc)).first == "query 3f2a00000000000b  no end of it seen")
    }

    @Test func `a cycle of parent calls causes no endless loop`() {
        let circle = [(4, 5), (5, 4), (6, 6)].map { call, parent in
            Samples.workerAnswer(
                call, at: Int64(call),
                attributes: ["status": "ok", "from": "x/1", "parent": .text(Samples.hexadecimal(parent))])
        }
        let queued = [4, 5, 6].map { Samples.queued($0, at: 0) }
        let conversation = Conversation(query: Samples.query, events: queued + circle)
        #expect(Set(conversation.nodes.map(\.exchange.call)) == Set([4, 5, 6].map(Samples.hexadecimal)))
        #expect(conversation.nodes.count == 3)
    }

    @Test func `its JSON has every key, and null for unknown values`() throws {
        let conversation = Conversation(query: Samples.query, events: Array(events.dropFirst().dropLast()))
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(JSONBytes.encode(conversation))) as? [String: Any])
        #expect(object.keys.sorted() == ["command", "exchanges", "from", "query", "startedAt", "tookMicroseconds"])
        #expect(object["command"] is NSNull)
        let exchanges = try #require(object["exchanges"] as? [[String: Any]])
        #expect(Set(exchanges.map { $0.keys.sorted() }).count == 1)
        #expect(exchanges[1]["parent"] as? String == Samples.request(1))
        #expect(exchanges[0]["parent"] is NSNull && exchanges[0]["tookMicroseconds"] as? Int == 2100)
    }

    @Test func `a query is found by its first digits if they are unique`() throws {
        let other = Event(at: 1, kind: "query.started", source: "gateway/1", query: "3f2a00000000000c")
        #expect(try Conversation.only(startingWith: "3f2a", in: events).query == Samples.query)
        for (prefix, events) in [("ffff", events), ("3f2a", events + [other])] {
            #expect { try Conversation.only(startingWith: prefix, in: events) } throws: {
                ($0 as? Failure)?.code == .unknownQuery
            }
        }
        #expect(try Conversation.only(startingWith: "3f2a00000000000c", in: events + [other]).query == other.query)
    }

    @Test(arguments: [
        ("3f2a", true), ("3f2a00000000000b", true), ("3f2", false), ("3F2A", false), ("xyz1", false), ("", false),
        ("3f2a00000000000b0", false),
    ])
    func `digits of an id are hexadecimal`(text: String, isPrefix: Bool) {
        #expect(Conversation.isPrefix(text) == isPrefix)
    }
}
