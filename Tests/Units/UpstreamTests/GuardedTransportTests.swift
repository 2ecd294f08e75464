import Domain
import Kobis
import Synchronization
import Testing
import Upstream

@testable import PosterResolverCore

@Suite(.timeLimit(.minutes(1))) struct GuardedTransportTests {
    private let clock = InstantClock()

    @Test func `a host that does not answer is not called, other hosts are`() async throws {
        let changes = Mutex<[CircuitBreakers.Change]>([])
        let breakers = CircuitBreakers(
            now: { clock.now }, onChange: { change in changes.withLock { $0.append(change) } })
        let broken = try await openBreaker(breakers)
        let callCount = await broken.requests.count
        let error = try await upstreamError { try await ask(broken, breakers) }
        #expect(error?.code == .unavailable && error?.isRetryable == true)
        #expect(error?.message.hasPrefix("KOBIS at kobis.example has not answered lately") == true)
        #expect(error?.message.hasSuffix("tried again in 2 s.") == true)
        #expect(await broken.requests.count == callCount, "the host was not called, and there was no retry")
        #expect(changes.withLock { $0.map(\.host) } == ["kobis.example"])
        let other = GuardedTransport(RecordingTransport(#"{"documents":[]}"#), breakers: breakers)
        #expect(try await kakao(other, clock: clock).images(query: "등대", deadline: anyDeadline).isEmpty)
    }

    @Test func `after an answered probe all calls are permitted again`() async throws {
        let breakers = CircuitBreakers(now: { clock.now })
        _ = try await openBreaker(breakers)
        clock.advance(by: .seconds(3))
        let healthy = RecordingTransport(try Fixture.text("chart-empty.json"))
        _ = try await ask(healthy, breakers)
        #expect(await breakers.states.map(\.state) == [.closed])
        _ = try await ask(healthy, breakers)
    }

    @Test(arguments: [
        (200, #"{"faultInfo":{"errorCode":"320011"}}"#), (200, "<html>"), (404, ""), (429, ""), (401, ""),
    ])
    func `an error answer does not open the breaker`(status: Int, body: String) async throws {
        let breakers = CircuitBreakers(now: { clock.now })
        for _ in 0..<30 {
            _ = try await upstreamError { try await ask(RecordingTransport(body, status: status), breakers) }
            clock.advance(by: .seconds(1))
        }
        #expect(await breakers.states.map(\.state) == [.closed])
    }

    @Test func `a cancelled call is not counted as a failure of the host`() async throws {
        let breakers = CircuitBreakers(now: { clock.now })
        for _ in 0..<30 {
            let cancelled = RecordingTransport([.failure(CancellationError())])
            await #expect(throws: CancellationError.self) { try await ask(cancelled, breakers) }
            clock.advance(by: .seconds(1))
        }
        #expect(await breakers.states.map(\.failuresInARow) == [0])
    }

    @Test func `above the limit of hosts those with a closed breaker are removed`() async throws {
        let breakers = CircuitBreakers(limit: 3, now: { clock.now })
        _ = try await openBreaker(breakers)
        for number in 1...20 {
            let healthy = GuardedTransport(RecordingTransport("{}"), breakers: breakers)
            let request = UpstreamRequest(upstream: "x", path: "/", url: "http://host\(number).example/", headers: [:])
            _ = try await healthy.send(request, deadline: anyDeadline)
        }
        let states = await breakers.states
        #expect(states.count <= 3 && states.contains { $0.host == "kobis.example" && $0.state != .closed })
        #expect(await breakers.sibling.states.isEmpty)
    }

    /// Calls a failing host until its breaker is open.
    private func openBreaker(_ breakers: CircuitBreakers) async throws -> RecordingTransport {
        let broken = RecordingTransport(Array(repeating: .success(UpstreamResponse(status: 503, body: [])), count: 60))
        while await breakers.states.first?.state ?? .closed == .closed {
            _ = try await upstreamError { try await ask(broken, breakers) }
        }
        return broken
    }

    private func ask(_ transport: some UpstreamTransport, _ breakers: CircuitBreakers) async throws -> Chart {
        let guarded = GuardedTransport(transport, breakers: breakers)
        return try await kobis(guarded, clock: clock)
            .chart(.daily(try #require(Day("2024-03-06"))), deadline: clock.now + .seconds(60))
    }
}
