import Envelope
import Testing

@testable import ExporterCore

struct SpanQueueTests {
    private let start = ContinuousClock.now

    private static func span(_ number: Int) -> Span? {
        let id = String(number + 1, radix: 16)
        let query = String(repeating: "0", count: 16 - id.count) + id
        let event = Event(
            at: 1, kind: "query.answered", source: "gateway/1", query: query, attributes: ["tookMicroseconds": 1])
        return Span(event)
    }

    private func add(_ number: Int, to queue: inout SpanQueue) {
        if let span = Self.span(number) { queue.add(span) }
    }

    private func queue(_ count: Int) -> SpanQueue {
        var queue = SpanQueue()
        for number in 0..<count { add(number, to: &queue) }
        return queue
    }

    @Test func `A batch is sent once, and the next one follows`() {
        var queue = queue(SpanQueue.batchSize + 1)
        #expect(queue.nextBatch(now: start)?.first == Self.span(0))
        #expect(queue.nextBatch(now: start) == nil)
        queue.succeed()
        #expect(queue.nextBatch(now: start) == [Self.span(SpanQueue.batchSize)].compactMap(\.self))
        queue.succeed(refusing: 1)
        #expect(queue.nextBatch(now: start) == nil)
        #expect((queue.sent, queue.refused, queue.dropped, queue.count) == (SpanQueue.batchSize, 1, 0, 0))
    }

    @Test func `A failed batch is sent again, after pauses that double up to a minute`() {
        var queue = queue(3)
        var now = start
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(queue.nextBatch(now: now)?.count == 3)
            queue.fail(now: now)
            #expect(queue.nextBatch(now: now + .seconds(seconds) - .milliseconds(1)) == nil)
            now += .seconds(seconds)
        }
        #expect(queue.nextBatch(now: now)?.count == 3)
        queue.succeed()
        #expect(!queue.isBackingOff)
        #expect(queue.sent == 3)
    }

    @Test func `A receiver may ask for a longer pause, of a minute at most`() {
        for (asked, seconds) in [(30, 30), (0, 1), (3600, 60)] {
            var queue = queue(1)
            _ = queue.nextBatch(now: start)
            queue.fail(now: start, retryAfter: .seconds(asked))
            #expect(queue.resumesAt == start + .seconds(seconds))
        }
    }

    @Test func `While the receiver is away the newest spans are kept, and the others counted`() {
        let total = 50_000
        var queue = SpanQueue()
        var now = start
        for number in 0..<total {
            add(number, to: &queue)
            if number.isMultiple(of: 1000) {
                now += .seconds(61)
                #expect(queue.nextBatch(now: now) != nil)
                queue.fail(now: now)
            }
            #expect(queue.count <= SpanQueue.capacity + SpanQueue.batchSize)
        }
        #expect(queue.count + queue.dropped == total)
        var received: [Span] = []
        now += .seconds(61)
        while let batch = queue.nextBatch(now: now) {
            received += batch
            queue.succeed()
        }
        #expect(received.last == Self.span(total - 1))
        #expect(received.first == Self.span(total - received.count))
        #expect(received.count == queue.sent)
    }

    @Test func `Spans in flight are not dropped`() {
        var queue = queue(SpanQueue.capacity)
        let batch = queue.nextBatch(now: start)
        for number in 0..<2000 { add(100_000 + number, to: &queue) }
        queue.fail(now: start)
        #expect(queue.nextBatch(now: start + .seconds(1)) == batch)
    }

    @Test func `A batch that the receiver never takes is not sent again`() {
        var queue = queue(2)
        _ = queue.nextBatch(now: start)
        queue.refuse()
        #expect(queue.nextBatch(now: start + .seconds(100)) == nil)
        #expect((queue.sent, queue.refused) == (0, 2))
    }
}
