import Synchronization
import Testing
import Upstream

@testable import FetcherKit

@Suite struct CountedTransportTests {
    /// Answers nothing and notes until when it was allowed to take.
    private final class Sink: UpstreamTransport {
        let deadlines = Mutex<[ContinuousClock.Instant]>([])

        func send(_: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
            deadlines.withLock { $0.append(deadline) }
            throw CancellationError()
        }
    }

    private let request = UpstreamRequest(upstream: "KOBIS", path: "a", url: "http://127.0.0.1/a", headers: [:])

    @Test(
        "a count may take until nothing but an attempt's time is left", arguments: [(1, 4), (3, 4), (4, 4), (9, 4)])
    func aCountHasPatience(attempt: Int, patience: Int) async throws {
        let start = ContinuousClock.now
        let asked = Mutex<[ContinuousClock.Instant]>([])
        let transport = CountedTransport(base: Sink(), patience: start + .seconds(patience)) { deadline in
            asked.withLock { $0.append(deadline) }
        }
        await #expect(throws: CancellationError.self) {
            try await transport.send(request, deadline: start + .seconds(attempt))
        }
        #expect(asked.withLock { $0 } == [start + .seconds(patience)])
    }

    @Test func `a late attempt's count may take a second of it`() async throws {
        let start = ContinuousClock.now
        let asked = Mutex<[ContinuousClock.Instant]>([])
        let transport = CountedTransport(base: Sink(), patience: start) { deadline in
            asked.withLock { $0.append(deadline) }
        }
        for attempt in [start + .milliseconds(500), start + .seconds(60)] {
            await #expect(throws: CancellationError.self) { try await transport.send(request, deadline: attempt) }
        }
        let deadlines = asked.withLock { $0 }
        #expect(deadlines.first == start + .milliseconds(500))
        #expect(try #require(deadlines.last) >= start + .seconds(1) && deadlines.last ?? start <= .now + .seconds(1))
    }

    @Test func `the time that the count takes is given back to the attempt`() async throws {
        let sink = Sink()
        let start = ContinuousClock.now
        let spent = Mutex(Duration.zero)
        let transport = CountedTransport(base: sink, patience: start + .seconds(9)) { _ in
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

    @Test func `what is not counted is not sent`() async throws {
        let sink = Sink()
        let transport = CountedTransport(base: sink, patience: .now) { _ in throw Failure.notCounted }
        await #expect(throws: Failure.notCounted) { try await transport.send(request, deadline: .now + .seconds(5)) }
        #expect(sink.deadlines.withLock { $0.isEmpty })
    }

    private enum Failure: Error {
        case notCounted
    }
}
