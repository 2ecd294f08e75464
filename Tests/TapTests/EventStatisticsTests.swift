import Envelope
import EventLog
import Foundation
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
        let told = statistics(events)
        #expect(told.events == 120)
        let kind = try #require(told.kinds["movie.detail"])
        #expect(kind.answers == 40 && kind.errors == 1)
        #expect(kind.lookup == Exchange.Lookup(keys: 40, hits: 10))
        let p50 = try #require(kind.summary.p50Microseconds)
        #expect((19_800...20_300).contains(p50))
        #expect(told.share(of: "detail-fetcher/1") == 0.25 && told.share(of: "detail-fetcher/2") == 0.75)
        #expect(told.share(of: "nobody/1") == nil)
    }

    @Test func `the rate is that of the last seconds`() throws {
        // Five a second for a minute, then nothing for 20 s.
        var told = statistics((0..<300).flatMap { exchange($0, at: Int64($0) * 200_000, by: 1, took: 10) })
        let figures = try #require(told.kinds["movie.detail"])
        #expect((4.5...5.5).contains(told.perSecond(figures)))
        told.passed(1)
        told.passed(20_000_000)
        #expect(told.perSecond(figures) == 0)
    }

    @Test func `what is not asked for is not counted`() {
        var selection = EventSelection()
        selection.services = ["detail-fetcher/2"]
        let told = statistics(exchange(1, at: 0, by: 1, took: 1) + exchange(2, at: 0, by: 2, took: 1), selection)
        #expect(told.instances.keys.sorted() == ["detail-fetcher/2"])
    }

    @Test func `names that others make up do not fill the memory`() {
        let told = statistics(
            (0..<1000).map { number in
                Event(
                    at: Int64(number), kind: "query.answered", source: "gateway/1",
                    attributes: ["command": .text("made-up-\(number)"), "tookMicroseconds": 1])
            })
        #expect(told.kinds.count == 201 && told.kinds["(others)"]?.answers == 800)
    }

    @Test func `the table fits a terminal and says what it leaves out`() {
        let told = statistics((0..<40).flatMap { exchange($0, at: 0, by: $0, took: 10) })
        let lines = told.lines(.plain, size: (columns: 80, lines: 20))
        #expect(lines.count <= 20)
        #expect(lines.allSatisfy { TextWidth.narrow.columns($0) <= 80 })
        #expect(lines.last?.contains(" more") == true)
        #expect(told.lines(.plain).count == 46)
    }

    @Test func `lost events are counted and told`() {
        var told = EventStatistics(EventSelection())
        told.take(Event(at: 1, kind: "x", source: "y"), lost: 37)
        #expect(told.lines(.plain)[0].contains("lost 37"))
    }

    @Test func `its JSON has every key`() throws {
        let told = statistics(exchange(1, at: 0, by: 1, took: 1))
        let object = try #require(JSONSerialization.jsonObject(with: Data(JSONBytes.encode(told))) as? [String: Any])
        #expect(object.keys.sorted() == ["events", "hits", "instances", "keys", "kinds", "lost", "seconds", "time"])
        #expect(object["hits"] is NSNull)
        let row = try #require((object["instances"] as? [[String: Any]])?.first)
        #expect(row["share"] as? Double == 1 && row["name"] as? String == "detail-fetcher/1")
    }

    @Test func `numbers of any size do no harm`() {
        var told = EventStatistics(EventSelection())
        for at in [Int64.min, Int64.max, 0, Int64.max] {
            for number in [Int.max, Int.min] {
                for event in exchange(1, at: at, by: 1, took: number) { told.take(event, lost: 1) }
                told.take(
                    Event(
                        at: at, kind: "query.answered", source: "x", attributes: ["tookMicroseconds": .number(number)]))
            }
            told.passed(.max)
        }
        told.finish()
        #expect(!told.lines(.plain, size: (columns: 80, lines: 24)).isEmpty)
        #expect(throws: Never.self) { try JSONBytes.encode(told) }
    }

    @Test func `what was never answered is no answer`() {
        var told = EventStatistics(EventSelection())
        told.take(exchange(1, at: 0, by: 1, took: 1)[0])
        told.finish()
        #expect(told.kinds.isEmpty && told.instances.isEmpty)
    }

    @Test func `a share is of all, also when only one is shown`() {
        var selection = EventSelection()
        selection.services = ["detail-fetcher/2"]
        let told = statistics(
            exchange(1, at: 0, by: 1, took: 1) + exchange(2, at: 0, by: 2, took: 1) + exchange(3, at: 0, by: 2, took: 1)
                + exchange(4, at: 0, by: 1, took: 1), selection)
        #expect(told.share(of: "detail-fetcher/2") == 0.5 && told.instances.count == 1)
    }
}
