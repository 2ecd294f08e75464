import Envelope
import EventLog
import EventText
import Localization
import MessageBus
import ProcessKit
import TerminalText
import Testing

@testable import MessageBus
@testable import TapCore

@Suite struct TapViewTests {
    private static let query = "3f2a00000000000b"
    private let terminal = Terminal(isColourUnwanted: true, Environment([:]))

    private func stamped(
        _ sequence: UInt64, _ kind: String, query: String? = query, call: Int? = nil,
        _ attributes: [String: AttributeValue] = [:]
    ) -> StampedEvent {
        let request = call.flatMap { call in query.map { $0 + "000000000000000\(call)" } }
        return StampedEvent(
            stamp: EventStamp(epoch: 1, sequence: sequence),
            event: Event(
                at: Int64(sequence) * 1000, kind: kind, source: "broker/1", query: query, request: request,
                attributes: attributes
            ))
    }

    private func exchange(_ call: Int, from sequence: UInt64) -> [StampedEvent] {
        [
            stamped(sequence, "broker.queued", call: call, ["service": "s"]),
            stamped(sequence + 1, "movie.detail.answered", call: call, ["status": "ok", "from": "gateway/1"]),
            stamped(
                sequence + 2, "broker.answered", call: call, ["service": "s", "instance": "s/1", "tookMicroseconds": 5]),
        ]
    }

    private func past(_ events: [StampedEvent]) -> [(event: StampedEvent, lost: Int)] {
        events.map { (event: $0, lost: 0) }
    }

    @Test(
        arguments: [
            (nil, ["1", "lost 1", "3", "4"]), (2, ["lost 1", "3", "4"]), (1, ["4"]), (9, ["1", "lost 1", "3", "4"]),
        ] as [(Int?, [String])])
    func `the requested number of past events is printed with their gaps`(last: Int?, shown: [String]) throws {
        var view = EventView(EventSelection(), isJSON: false, EventFormat(.en))
        let events = [1, 3, 4].map { stamped($0, "a.\($0)", query: nil) }
        let lines = try view.takePast(
            [(events[0], 0), (events[1], 1), (events[2], 0)].map { (event: $0.0, lost: $0.1) }, last: last, isAll: true)
        #expect(lines.map { $0.hasPrefix("lost") ? $0 : String($0.suffix(1)) } == shown)
    }

    @Test func `the last exchanges include open ones`() throws {
        let open = stamped(20, "broker.queued", call: 4, ["service": "s"])
        let events = exchange(1, from: 1) + exchange(2, from: 4) + exchange(3, from: 7) + [open]
        for (last, count) in [(2, 2), (nil, 4)] as [(Int?, Int)] {
            var view = ExchangeView(EventSelection(), isJSON: false, EventFormat(.en))
            let lines = try view.takePast(past(events), last: last, isAll: true)
            #expect(lines.count == count && lines.last?.contains(" open ") == true)
        }
    }

    @Test func `a conversation is done after the end of its query and a delay without events`() throws {
        var view = ConversationView("3f2a", isJSON: false, EventFormat(.en))
        _ = view.takePast(past([stamped(1, "query.started")] + exchange(1, from: 2)), last: nil, isAll: false)
        _ = view.advance(by: 1_000_000)
        #expect(!view.isDone)
        _ = view.take(stamped(9, "query.answered"), lost: 3)
        #expect(!view.isDone)
        _ = view.advance(by: 1_000_000)
        #expect(view.isDone)
        let lines = try view.finish()
        #expect(lines.first == "lost 3" && lines.count == 3)
    }

    @Test func `a query without an end times out, and an unknown query ends at once`() {
        var view = ConversationView("3f2a", isJSON: false, EventFormat(.en))
        _ = view.takePast(past([stamped(1, "query.started")]), last: nil, isAll: false)
        for _ in 1...69 { _ = view.advance(by: 1_000_000) }
        #expect(!view.isDone)
        _ = view.advance(by: 1_000_000)
        #expect(view.isDone)
        var unknown = ConversationView("ffff", isJSON: false, EventFormat(.en))
        _ = unknown.takePast(past([stamped(1, "query.started")]), last: nil, isAll: false)
        #expect(unknown.isDone)
        #expect(throws: Failure.self) { try unknown.finish() }
    }

    @Test func `figures are one table at the end, and as JSON one object per second`() throws {
        var table = StatisticsView(EventSelection(), isJSON: false, .en, terminal: terminal)
        _ = table.takePast(past(exchange(1, from: 1)), last: nil, isAll: true)
        #expect(table.itemCount > 0)
        #expect(try table.advance(by: 1_000_000).isEmpty)
        #expect(try table.finish().contains { $0.hasPrefix("movie.detail") })
        var json = StatisticsView(EventSelection(), isJSON: true, .en, terminal: terminal)
        #expect(try json.advance(by: 1_000_000).count == 1)
    }
}
