import Envelope
import EventLog
import Foundation
import Localization
import MessageBus
import TerminalText
import Testing

@testable import TapCore

@Suite struct EventStatisticsTests {
    private func exchange(_ call: Int, at: Int64, by number: Int, took: Int, status: String = "ok") -> [Event] {
        let request = String(repeating: "a", count: 28) + String(1000 + call)
        let instance = "detail-fetcher/\(number)"
        func event(_ kind: String, _ source: String, _ attributes: [String: AttributeValue]) -> Event {
            Event(
                at: at, kind: kind, source: source, query: String(request.prefix(16)), request: request,
                attributes: attributes)
        }
        return [
            event("broker.queued", "broker/1", ["service": "detail-fetcher"]),
            event(
                "movie.detail.answered", instance,
                ["status": .text(status), "from": "gateway/1", "cache": call.isMultiple(of: 4) ? "hit" : "fwd=miss"]),
            event(
                "broker.answered", "broker/1",
                ["service": "detail-fetcher", "instance": .text(instance), "tookMicroseconds": .number(took)]),
        ]
    }

    private func statistics(_ events: [Event], _ selection: EventSelection = EventSelection()) -> EventStatistics {
        var statistics = EventStatistics(selection)
        for event in events { statistics.take(event) }
        statistics.finish()
        return statistics
    }

    @Test func `answers, errors, times and shares are those of the exchanges`() throws {
        var events: [Event] = []
        for call in 0..<40 {
            events += exchange(
                call, at: Int64(call) * 100_000, by: call.isMultiple(of: 4) ? 1 : 2, took: 1000 * (call + 1),
                status: call == 7 ? "failed" : "ok")
        }
        let result = statistics(events)
        #expect(result.events == 120)
        let kind = try #require(result.kinds["movie.detail"])
        #expect(kind.answers == 40 && kind.errors == 1)
        #expect(kind.lookup == Exchange.Lookup(keys: 40, hits: 10))
        let p50 = try #require(kind.summary.p50Microseconds)
        #expect((19_800...20_300).contains(p50))
        #expect(result.share(of: "detail-fetcher/1") == 0.25 && result.share(of: "detail-fetcher/2") == 0.75)
        #expect(result.share(of: "nobody/1") == nil)
    }

    @Test func `the rate is that of the last ten seconds`() throws {
        // Five per second for a minute, then none for 20 s.
        var result = statistics((0..<300).flatMap { exchange($0, at: Int64($0) * 200_000, by: 1, took: 10) })
        let figures = try #require(result.kinds["movie.detail"])
        #expect((4.5...5.5).contains(result.perSecond(figures)))
        result.advance(by: 1)
        result.advance(by: 20_000_000)
        #expect(result.perSecond(figures) == 0)
    }

    @Test func `exchanges outside the selection are not counted`() {
        var selection = EventSelection()
        selection.services = ["detail-fetcher/2"]
        let result = statistics(exchange(1, at: 0, by: 1, took: 1) + exchange(2, at: 0, by: 2, took: 1), selection)
        #expect(result.instances.keys.sorted() == ["detail-fetcher/2"])
    }

    @Test func `the number of names is limited`() {
        let result = statistics(
            (0..<1000).map { number in
                Event(
                    at: Int64(number), kind: "query.answered", source: "gateway/1",
                    attributes: ["command": .text("made-up-\(number)"), "tookMicroseconds": 1])
            })
        #expect(result.kinds.count == 201 && result.kinds["(others)"]?.answers == 800)
    }

    @Test func `the table fits a terminal and states how many rows are left out`() {
        let result = statistics((0..<40).flatMap { exchange($0, at: 0, by: $0, took: 10) })
        let lines = result.lines(.en, .plain, size: (columns: 80, lines: 20))
        #expect(lines.count <= 20)
        #expect(lines.allSatisfy { TextWidth.narrow.columns($0) <= 80 })
        #expect(lines.last?.contains(" more") == true)
        #expect(result.lines(.en, .plain).count == 46)
    }

    @Test func `lost events are counted and reported`() {
        var result = EventStatistics(EventSelection())
        result.take(Event(at: 1, kind: "x", source: "y"), lost: 37)
        #expect(result.lines(.en, .plain)[0].contains("lost 37"))
    }

    @Test func `its JSON has every key`() throws {
        let result = statistics(exchange(1, at: 0, by: 1, took: 1))
        let object = try #require(JSONSerialization.jsonObject(with: Data(JSONBytes.encode(result))) as? [String: Any])
        #expect(object.keys.sorted() == ["events", "hits", "instances", "keys", "kinds", "lost", "seconds", "time"])
        #expect(object["hits"] is NSNull)
        let row = try #require((object["instances"] as? [[String: Any]])?.first)
        #expect(row["share"] as? Double == 1 && row["name"] as? String == "detail-fetcher/1")
    }

    @Test func `numbers of any size cause no trap`() {
        var result = EventStatistics(EventSelection())
        for at in [Int64.min, Int64.max, 0, Int64.max] {
            for number in [Int.max, Int.min] {
                for event in exchange(1, at: at, by: 1, took: number) { result.take(event, lost: 1) }
                result.take(
                    Event(
                        at: at, kind: "query.answered", source: "x", attributes: ["tookMicroseconds": .number(number)]))
            }
            result.advance(by: .max)
        }
        result.finish()
        #expect(!result.lines(.en, .plain, size: (columns: 80, lines: 24)).isEmpty)
        #expect(throws: Never.self) { try JSONBytes.encode(result) }
    }

    @Test func `a request without an answer is not counted`() {
        var result = EventStatistics(EventSelection())
        result.take(exchange(1, at: 0, by: 1, took: 1)[0])
        result.finish()
        #expect(result.kinds.isEmpty && result.instances.isEmpty)
    }

    @Test func `a share relates to all instances, even if only one is selected`() {
        var selection = EventSelection()
        selection.services = ["detail-fetcher/2"]
        let result = statistics(
            exchange(1, at: 0, by: 1, took: 1) + exchange(2, at: 0, by: 2, took: 1) + exchange(3, at: 0, by: 2, took: 1)
                + exchange(4, at: 0, by: 1, took: 1), selection)
        #expect(result.share(of: "detail-fetcher/2") == 0.5 && result.instances.count == 1)
    }
}
