import Envelope
import TerminalText
import Testing

@testable import EventLog

@Suite struct ExchangeMatcherTests {
    private func exchanges(_ events: [Event]) -> [Exchange] {
        var matcher = ExchangeMatcher()
        return events.flatMap { matcher.take($0) }
    }

    @Test func `an answer is put together from what three processes say, in whatever order`() throws {
        let events = [
            Samples.event("part.requested", call: 1, at: 100, source: "gateway/4711", ["what": "movie 20199882"]),
            Samples.queued(1, at: 110), Samples.dispatched(1, at: 117), Samples.word(1, at: 900),
            Samples.answered(1, at: 1000, took: 890),
        ]
        // Each process's own events keep their order.
        for order in [[0, 1, 2, 3, 4], [1, 2, 4, 3, 0], [3, 0, 1, 2, 4], [1, 3, 2, 0, 4], [1, 2, 3, 4, 0]] {
            var matcher = ExchangeMatcher()
            let found = order.flatMap { matcher.take(events[$0]) } + matcher.finish()
            #expect(found.count == 1)
            let exchange = try #require(found.first)
            #expect(exchange.kind == "movie.detail" && exchange.instance == "detail-fetcher/2")
            #expect(exchange.tookMicroseconds == 890 && exchange.outcome == .answered("ok"))
        }
        let exchange = try #require(exchanges(events).first)
        #expect(exchange.asker == "gateway/4711" && exchange.attempts == 1 && exchange.beganAt == 100)
        #expect(exchange.title == "movie.detail?code=20199882" && exchange.ending == "ok")
    }

    @Test func `a worker that is heard after the broker is waited for`() throws {
        let early = exchanges([
            Samples.queued(1, at: 10), Samples.dispatched(1, at: 11), Samples.answered(1, at: 20, took: 10),
        ])
        #expect(early.isEmpty)
        let late = exchanges([
            Samples.queued(1, at: 10), Samples.answered(1, at: 20, took: 10), Samples.word(1, at: 18),
        ])
        #expect(late.map(\.kind) == ["movie.detail"])
    }

    @Test func `a worker that is never heard does not hold its exchange back for long`() throws {
        var matcher = ExchangeMatcher()
        #expect(matcher.take(Samples.queued(1, at: 10)).isEmpty)
        #expect(matcher.take(Samples.answered(1, at: 1000, took: 990)).isEmpty)
        // What has just been heard tells the time by itself.
        #expect(matcher.passed(900_000).isEmpty)
        #expect(matcher.passed(249_999).isEmpty)
        let exchange = try #require(matcher.passed(100_000).first)
        #expect(exchange.outcome == .answered(nil) && exchange.ending == "answered" && exchange.kind == nil)
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a refusal and a withdrawal end it as soon as its asker has been heard`() throws {
        let refused = exchanges([
            asked(1, at: 1), Samples.queued(1, at: 10),
            Samples.event("broker.refused", call: 1, at: 1_510, ["service": "x", "code": "unavailable"]),
        ])
        #expect(refused.map(\.ending) == ["unavailable"] && refused.allSatisfy(\.hasFailed))
        #expect(refused.map(\.tookMicroseconds) == [1500])
        let cancelled = exchanges([
            Samples.queued(2, at: 10), Samples.event("broker.cancelled", call: 2, at: 30, ["service": "x"]),
            asked(2, at: 1),
        ])
        #expect(cancelled.map(\.ending) == ["cancelled"] && !cancelled.contains(where: \.hasFailed))
    }

    @Test func `an asker that is never heard does not hold a refusal back for long`() throws {
        var matcher = ExchangeMatcher()
        let refused = Samples.event("broker.refused", call: 1, at: 10, ["service": "x", "code": "overloaded"])
        // What has just been heard tells the time by itself.
        #expect(matcher.take(refused).isEmpty && matcher.passed(900_000).isEmpty && matcher.passed(249_999).isEmpty)
        #expect(matcher.passed(100_000).map(\.ending) == ["overloaded"])
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a refusal that overtakes its request is one exchange`() throws {
        var matcher = ExchangeMatcher()
        let missed = Samples.event("part.missed", call: 1, at: 12, source: "gateway/1", ["code": "overloaded"])
        let refused = Samples.event("broker.refused", call: 1, at: 10, ["service": "x", "code": "overloaded"])
        let found = [refused, asked(1, at: 1), missed].flatMap { matcher.take($0) } + matcher.passed(1_000_000)
        #expect(found.map(\.asker) == ["gateway/1"] && found.map(\.ending) == ["overloaded"])
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a request that is heard of after its answer begins nothing`() throws {
        var matcher = ExchangeMatcher()
        #expect(matcher.take(Samples.queued(0, at: 1)).isEmpty)
        // More than are kept: were they kept, the first would be given up.
        for call in 1...20_001 {
            let at = 100 * Int64(call)
            let events = [
                Samples.queued(call, at: at + 2), Samples.answered(call, at: at + 4, took: 2),
                Samples.word(call, at: at + 3), asked(call, at: at + 1),
            ]
            #expect(events.flatMap { matcher.take($0) }.count == 1)
        }
        #expect(matcher.finish().map(\.outcome) == [.open])
    }

    private func asked(_ call: Int, at: Int64) -> Event {
        Samples.event("part.requested", call: call, at: at, source: "gateway/1", ["what": "movie \(call)"])
    }

    @Test func `what a dead worker left behind is another's`() throws {
        let found = exchanges([
            Samples.queued(1, at: 10), Samples.dispatched(1, at: 11, to: "detail-fetcher/1"),
            Samples.event(
                "broker.redelivered", call: 1, at: 500, ["from": "detail-fetcher/1", "service": "detail-fetcher"]),
            Samples.dispatched(1, at: 501, attempt: 2), Samples.word(1, at: 800),
            Samples.answered(1, at: 810, took: 800),
        ])
        let exchange = try #require(found.first)
        #expect(exchange.instance == "detail-fetcher/2" && exchange.attempts == 2)
        #expect(exchange.attributes.contains("handed out 2 times"))
    }

    @Test func `what never ends is given up, and a late word begins nothing`() {
        var matcher = ExchangeMatcher()
        _ = matcher.take(Samples.queued(1, at: 0))
        _ = matcher.take(Samples.word(2, at: 1))
        #expect(matcher.passed(1).isEmpty)
        for _ in 1...2 { #expect(matcher.passed(ExchangeMatcher.patience / 2 - 1).isEmpty) }
        #expect(matcher.passed(200_000).map(\.ending) == ["open"])
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a failed answer is named by its code, and events of no call are none`() throws {
        let failed = Samples.word(
            1, at: 18, attributes: ["status": "failed", "code": "upstream_timeout", "from": "gateway/1"])
        let exchange = try #require(
            exchanges([Samples.queued(1, at: 1), failed, Samples.answered(1, at: 20, took: 19)]).first)
        #expect(exchange.ending == "upstream_timeout" && exchange.hasFailed)
        #expect(exchanges([Event(at: 1, kind: "broker.tap_joined", source: "broker/1")]).isEmpty)
    }

    @Test func `a part that its asker has missed has failed, whoever is silent about it`() throws {
        let lost = exchanges([
            Samples.event(
                "part.requested", call: 1, at: 1, source: "gateway/1",
                ["kind": "movie.detail", "service": "detail-fetcher"]),
            Samples.event("part.missed", call: 1, at: 2, source: "gateway/1", ["code": "broker_lost"]),
        ])
        let exchange = try #require(lost.first)
        #expect(exchange.ending == "broker_lost" && exchange.hasFailed && exchange.kind == "movie.detail")
    }

    @Test func `a clock that goes wrong spoils nobody else's exchange`() {
        var matcher = ExchangeMatcher()
        _ = matcher.take(Samples.queued(1, at: 1000))
        #expect(matcher.take(Samples.word(2, at: 1_000_000_000_000)).isEmpty)
        _ = matcher.take(Samples.word(1, at: 0))
        #expect(matcher.take(Samples.answered(1, at: 2000, took: 1000)).map(\.ending) == ["ok"])
    }

    @Test func `what is kept has a bound`() {
        var matcher = ExchangeMatcher()
        var told: [String] = []
        for call in 1...30_000 { told += matcher.take(Samples.queued(call, at: 5)).map(\.request) }
        let left = matcher.finish().map(\.request)
        #expect((18_000...20_000).contains(left.count))
        // The oldest go first, and none is lost.
        #expect(told + left == (1...30_000).compactMap { Samples.queued($0, at: 5).request })
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `numbers of any size do no harm`(at: Int64) throws {
        for number in [Int.min, -1, 0, Int.max] {
            let attributes: [String: AttributeValue] = [
                "attempt": .number(number), "queuedMicroseconds": .number(number), "tookMicroseconds": .number(number),
                "keys": .number(number), "hits": .number(number), "upstreamMicroseconds": .number(number),
                "workMicroseconds": .number(number), "service": "s", "instance": "s/1", "status": "ok", "from": "x/1",
                "parent": .text(Samples.hexadecimal(1)), "code": "c", "command": "show",
            ]
            let kinds = [
                "query.started", "part.requested", "broker.queued", "broker.dispatched", "movie.detail.answered",
                "part.missed", "broker.refused", "broker.answered", "broker.cancelled", "query.answered",
            ]
            var events: [Event] = []
            for other in [at, Int64.max, Int64.min, 0] {
                for kind in kinds {
                    let call = kind.hasPrefix("query.") ? nil : 1
                    events.append(Samples.event(kind, call: call, at: other, source: "gateway/1", attributes))
                }
            }
            for exchange in exchanges(events) { _ = exchange.pieces(.plain).joined(columns: 80) }
            let conversation = Conversation(query: Samples.query, events: events)
            #expect(!conversation.lines(.plain, columns: 80).isEmpty)
            #expect(throws: Never.self) { try JSONBytes.encode(conversation) }
        }
    }
}
