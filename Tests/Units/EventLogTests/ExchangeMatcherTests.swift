import Envelope
import Localization
import TerminalText
import Testing

@testable import EventLog
@testable import EventText

@Suite struct ExchangeMatcherTests {
    private func exchanges(_ events: [Event]) -> [Exchange] {
        var matcher = ExchangeMatcher()
        return events.flatMap { matcher.take($0) }
    }

    @Test func `an answer is assembled from events of three processes, in any order`() throws {
        let events = [
            Samples.event("part.requested", call: 1, at: 100, source: "gateway/4711", ["what": "movie 20199882"]),
            Samples.queued(1, at: 110), Samples.dispatched(1, at: 117), Samples.workerAnswer(1, at: 900),
            Samples.answered(1, at: 1000, took: 890),
        ]
        // The events of each process keep their order.
        for order in [[0, 1, 2, 3, 4], [1, 2, 4, 3, 0], [3, 0, 1, 2, 4], [1, 3, 2, 0, 4], [1, 2, 3, 4, 0]] {
            var matcher = ExchangeMatcher()
            let found = order.flatMap { matcher.take(events[$0]) } + matcher.finish()
            #expect(found.count == 1)
            let exchange = try #require(found.first)
            #expect(exchange.kind == "movie.detail" && exchange.instance == "detail-fetcher/2")
            #expect(exchange.tookMicroseconds == 890 && exchange.outcome == .answered("ok"))
        }
        let exchange = try #require(exchanges(events).first)
        #expect(exchange.requester == "gateway/4711" && exchange.attempts == 1 && exchange.beganAt == 100)
        #expect(exchange.title == "movie.detail?code=20199882" && exchange.ending == "ok")
    }

    @Test func `the event of a worker may arrive after those of the broker`() throws {
        let early = exchanges([
            Samples.queued(1, at: 10), Samples.dispatched(1, at: 11), Samples.answered(1, at: 20, took: 10),
        ])
        #expect(early.isEmpty)
        let late = exchanges([
            Samples.queued(1, at: 10), Samples.answered(1, at: 20, took: 10), Samples.workerAnswer(1, at: 18),
        ])
        #expect(late.map(\.kind) == ["movie.detail"])
    }

    @Test func `a missing worker event does not delay its exchange for long`() throws {
        var matcher = ExchangeMatcher()
        #expect(matcher.take(Samples.queued(1, at: 10)).isEmpty)
        #expect(matcher.take(Samples.answered(1, at: 1000, took: 990)).isEmpty)
        // The first call after an event adds no time.
        #expect(matcher.advance(by: 900_000).isEmpty)
        #expect(matcher.advance(by: 249_999).isEmpty)
        let exchange = try #require(matcher.advance(by: 100_000).first)
        #expect(exchange.outcome == .answered(nil) && exchange.ending == "answered" && exchange.kind == nil)
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a refusal or a cancellation completes an exchange with the event of its requester`() throws {
        let refused = exchanges([
            requested(1, at: 1), Samples.queued(1, at: 10),
            Samples.event("broker.refused", call: 1, at: 1_510, ["service": "x", "code": "unavailable"]),
        ])
        #expect(refused.map(\.ending) == ["unavailable"] && refused.allSatisfy(\.hasFailed))
        #expect(refused.map(\.tookMicroseconds) == [1500])
        let cancelled = exchanges([
            Samples.queued(2, at: 10), Samples.event("broker.cancelled", call: 2, at: 30, ["service": "x"]),
            requested(2, at: 1),
        ])
        #expect(cancelled.map(\.ending) == ["cancelled"] && !cancelled.contains(where: \.hasFailed))
    }

    @Test func `a missing requester event does not delay a refusal for long`() throws {
        var matcher = ExchangeMatcher()
        let refused = Samples.event("broker.refused", call: 1, at: 10, ["service": "x", "code": "overloaded"])
        // The first call after an event adds no time.
        #expect(matcher.take(refused).isEmpty)
        #expect(matcher.advance(by: 900_000).isEmpty && matcher.advance(by: 249_999).isEmpty)
        #expect(matcher.advance(by: 100_000).map(\.ending) == ["overloaded"])
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a refusal that arrives before its request is one exchange`() throws {
        var matcher = ExchangeMatcher()
        let missed = Samples.event("part.missed", call: 1, at: 12, source: "gateway/1", ["code": "overloaded"])
        let refused = Samples.event("broker.refused", call: 1, at: 10, ["service": "x", "code": "overloaded"])
        let found =
            [refused, requested(1, at: 1), missed].flatMap { matcher.take($0) } + matcher.advance(by: 1_000_000)
        #expect(found.map(\.requester) == ["gateway/1"] && found.map(\.ending) == ["overloaded"])
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a request event after its answer starts no exchange`() throws {
        var matcher = ExchangeMatcher()
        #expect(matcher.take(Samples.queued(0, at: 1)).isEmpty)
        // More than the limit: if they were kept, the first would expire.
        for call in 1...20_001 {
            let at = 100 * Int64(call)
            let events = [
                Samples.queued(call, at: at + 2), Samples.answered(call, at: at + 4, took: 2),
                Samples.workerAnswer(call, at: at + 3), requested(call, at: at + 1),
            ]
            #expect(events.flatMap { matcher.take($0) }.count == 1)
        }
        #expect(matcher.finish().map(\.outcome) == [.open])
    }

    private func requested(_ call: Int, at: Int64) -> Event {
        Samples.event("part.requested", call: call, at: at, source: "gateway/1", ["what": "movie \(call)"])
    }

    @Test func `a redelivered request belongs to the second worker`() throws {
        let found = exchanges([
            Samples.queued(1, at: 10), Samples.dispatched(1, at: 11, to: "detail-fetcher/1"),
            Samples.event(
                "broker.redelivered", call: 1, at: 500, ["from": "detail-fetcher/1", "service": "detail-fetcher"]),
            Samples.dispatched(1, at: 501, attempt: 2), Samples.workerAnswer(1, at: 800),
            Samples.answered(1, at: 810, took: 800),
        ])
        let exchange = try #require(found.first)
        #expect(exchange.instance == "detail-fetcher/2" && exchange.attempts == 2)
        #expect(exchange.attributes(.en).contains("dispatched 2 times"))
    }

    @Test func `an exchange without an end expires, and a late event starts none`() {
        var matcher = ExchangeMatcher()
        _ = matcher.take(Samples.queued(1, at: 0))
        _ = matcher.take(Samples.workerAnswer(2, at: 1))
        #expect(matcher.advance(by: 1).isEmpty)
        for _ in 1...2 { #expect(matcher.advance(by: ExchangeMatcher.timeout / 2 - 1).isEmpty) }
        #expect(matcher.advance(by: 200_000).map(\.ending) == ["open"])
        #expect(matcher.finish().isEmpty)
    }

    @Test func `a failed answer has its code as ending, and events without a call are no exchange`() throws {
        let failed = Samples.workerAnswer(
            1, at: 18, attributes: ["status": "failed", "code": "upstream_timeout", "from": "gateway/1"])
        let exchange = try #require(
            exchanges([Samples.queued(1, at: 1), failed, Samples.answered(1, at: 20, took: 19)]).first)
        #expect(exchange.ending == "upstream_timeout" && exchange.hasFailed)
        #expect(exchanges([Event(at: 1, kind: "broker.tap_joined", source: "broker/1")]).isEmpty)
    }

    @Test func `a part that the requester reports as missed has failed without other events`() throws {
        let lost = exchanges([
            Samples.event(
                "part.requested", call: 1, at: 1, source: "gateway/1",
                ["kind": "movie.detail", "service": "detail-fetcher"]),
            Samples.event("part.missed", call: 1, at: 2, source: "gateway/1", ["code": "broker_lost"]),
        ])
        let exchange = try #require(lost.first)
        #expect(exchange.ending == "broker_lost" && exchange.hasFailed && exchange.kind == "movie.detail")
    }

    @Test func `a wrong clock does not affect other exchanges`() {
        var matcher = ExchangeMatcher()
        _ = matcher.take(Samples.queued(1, at: 1000))
        #expect(matcher.take(Samples.workerAnswer(2, at: 1_000_000_000_000)).isEmpty)
        _ = matcher.take(Samples.workerAnswer(1, at: 0))
        #expect(matcher.take(Samples.answered(1, at: 2000, took: 1000)).map(\.ending) == ["ok"])
    }

    @Test func `the number of entries is limited`() {
        var matcher = ExchangeMatcher()
        var reported: [String] = []
        for call in 1...30_000 { reported += matcher.take(Samples.queued(call, at: 5)).map(\.request) }
        let left = matcher.finish().map(\.request)
        #expect((18_000...20_000).contains(left.count))
        // The oldest are removed first, and none is lost.
        #expect(reported + left == (1...30_000).compactMap { Samples.queued($0, at: 5).request })
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `numbers of any size cause no trap`(at: Int64) throws {
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
            for exchange in exchanges(events) { _ = exchange.line(EventFormat(.en)) }
            let conversation = Conversation(query: Samples.query, events: events)
            #expect(!conversation.lines(EventFormat(.ko)).isEmpty)
            #expect(throws: Never.self) { try JSONBytes.encode(conversation) }
        }
    }
}
