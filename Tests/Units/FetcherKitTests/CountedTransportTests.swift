import Synchronization
import Testing
import Upstream

@testable import FetcherKit

@Suite struct CountedTransportTests {
    /// Records the deadlines and gives no answer.
    private final class Sink: UpstreamTransport {
        let deadlines = Mutex<[ContinuousClock.Instant]>([])

        func send(_: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
            deadlines.withLock { $0.append(deadline) }
            throw CancellationError()
        }
    }

    private let request = UpstreamRequest(upstream: "KOBIS", path: "a", url: "http://127.0.0.1/a", headers: [:])

    @Test(arguments: [(1, 4), (3, 4), (4, 4), (9, 4)])
    func `a count may take until only the time of one attempt is left`(attempt: Int, latestStart: Int) async throws {
        let start = ContinuousClock.now
        let countDeadlines = Mutex<[ContinuousClock.Instant]>([])
        let transport = CountedTransport(base: Sink(), latestStart: start + .seconds(latestStart)) { deadline in
            countDeadlines.withLock { $0.append(deadline) }
        }
        await #expect(throws: CancellationError.self) {
            try await transport.send(request, deadline: start + .seconds(attempt))
        }
        #expect(countDeadlines.withLock { $0 } == [start + .seconds(latestStart)])
    }

    @Test func `the count of a late attempt may take one second of its time`() async throws {
        let start = ContinuousClock.now
        let countDeadlines = Mutex<[ContinuousClock.Instant]>([])
        let transport = CountedTransport(base: Sink(), latestStart: start) { deadline in
            countDeadlines.withLock { $0.append(deadline) }
        }
        for attempt in [start + .milliseconds(500), start + .seconds(60)] {
            await #expect(throws: CancellationError.self) { try await transport.send(request, deadline: attempt) }
        }
        let deadlines = countDeadlines.withLock { $0 }
        #expect(deadlines.first == start + .milliseconds(500))
        #expect(try #require(deadlines.last) >= start + .seconds(1) && deadlines.last ?? start <= .now + .seconds(1))
    }

    @Test func `the time of the count is added to the deadline of the attempt`() async throws {
        let sink = Sink()
        let start = ContinuousClock.now
        let spent = Mutex(Duration.zero)
        let transport = CountedTransport(base: sink, latestStart: start + .seconds(9)) { _ in
            let began = ContinuousClock.now
            await Task.yield()
            spent.withLock { $0 = .now - began }
        }
        await #expect(throws: CancellationError.self) {
            try await transport.send(request, deadline: start + .seconds(5))
        }
        let granted = try #require(sink.deadlines.withLock { $0.first })
        let least = spent.withLock { $0 }
        #expect(least > .zero && granted >= start + .seconds(5) + least && granted <= .now + .seconds(5))
    }

    @Test func `a request that is not counted is not sent`() async throws {
        let sink = Sink()
        let transport = CountedTransport(base: sink, latestStart: .now) { _ in throw Failure.notCounted }
        await #expect(throws: Failure.notCounted) { try await transport.send(request, deadline: .now + .seconds(5)) }
        #expect(sink.deadlines.withLock { $0.isEmpty })
    }

    private enum Failure: Error {
        case notCounted
    }
}
