import BoxOffice
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct RetryTests {
    let clock = InstantClock()

    @Test func `a retriable failure is retried, and the answer is returned`() async throws {
        let transport = RecordingTransport([broken, busy, none])
        #expect(try await ask(transport).isEmpty)
        #expect(await transport.requests.count == 3)
        #expect(clock.pauses == [.milliseconds(100), .milliseconds(200)], "half of 200 ms, then half of 400 ms")
    }

    @Test func `after three attempts the last failure is thrown`() async throws {
        let transport = RecordingTransport([broken, broken, busy, none])
        let error = try await upstreamError { try await ask(transport) }
        #expect(error?.httpStatus == 503)
        #expect(await transport.requests.count == 3)
        #expect(clock.pauses.count == 2, "no pause follows the last attempt")
    }

    @Test func `an attempt has its own time limit, never more than the time left`() async throws {
        let transport = RecordingTransport([broken, broken, none])
        _ = try await ask(transport, deadline: InstantClock.start + .milliseconds(1700))
        let granted = await transport.deadlines.map { $0 - InstantClock.start }
        #expect(granted == [.milliseconds(1500), .milliseconds(1600), .milliseconds(1700)])
    }

    @Test func `the time budget ends the attempts before a late deadline`() async throws {
        let transport = SlowTransport(clock: clock, takes: .milliseconds(2500))
        let error = try await upstreamError { try await ask(transport) }
        #expect(error?.code == .timeout)
        let granted = await transport.deadlines.map { $0 - InstantClock.start }
        #expect(
            granted == [.milliseconds(1500), .milliseconds(4000)], "the second is cut at the budget's four seconds")
    }

    @Test func `a pause that would exceed the deadline is not started`() async throws {
        let transport = RecordingTransport([broken, none])
        let error = try await upstreamError {
            try await ask(transport, deadline: InstantClock.start + .milliseconds(100))
        }
        #expect(error?.message == "gone")
        #expect(clock.pauses.isEmpty)
        #expect(await transport.requests.count == 1)
    }

    @Test func `without time left no call is made`() async throws {
        let transport = RecordingTransport([none])
        let error = try await upstreamError { try await ask(transport, deadline: InstantClock.start) }
        #expect(error?.code == .timeout)
        #expect(await transport.requests.isEmpty)
    }

    @Test(arguments: [0.0, 0.25, 0.999])
    func `the pause is a random part of the longest one`(fraction: Double) async throws {
        let transport = RecordingTransport([broken, none])
        _ = try await ask(transport, fraction: fraction)
        #expect(clock.pauses == [.milliseconds(200) * fraction])
    }

    @Test func `the number of attempts is a setting, and at least one is made`() async throws {
        for attempts in [0, 1, 2] {
            let transport = RecordingTransport([broken])
            var retry = clock.retry()
            retry.attempts = attempts
            let client = try KakaoClient(
                baseURL: "http://a", key: APIKey(sampleKey), transport: transport, retry: retry)
            let error = try await upstreamError { try await client.images(query: "등대", deadline: anyDeadline) }
            #expect(error?.message == "gone")
            #expect(await transport.requests.count == max(1, attempts))
        }
    }

    @Test func `a retry that cannot be made leaves the failure of the attempt before it`() async throws {
        struct NotCounted: Error {}
        let transport = RecordingTransport([broken, .failure(NotCounted()), none])
        let error = try await upstreamError { try await ask(transport) }
        #expect(error?.message == "gone")
        #expect(await transport.requests.count == 2)
        let first = RecordingTransport([.failure(NotCounted()), none])
        await #expect(throws: NotCounted.self) { try await ask(first) }
    }

    @Test func `cancellation is thrown unchanged and ends the attempts`() async throws {
        let transport = RecordingTransport([broken, .failure(CancellationError()), none])
        await #expect(throws: CancellationError.self) { try await ask(transport) }
        #expect(await transport.requests.count == 2)
    }

    @Test func `cancellation during a pause is thrown unchanged`() async throws {
        let transport = RecordingTransport([broken, none])
        let retry = UpstreamRetry(now: { InstantClock.start }, sleep: { _ in throw CancellationError() })
        let client = try KakaoClient(baseURL: "http://a", key: APIKey(sampleKey), transport: transport, retry: retry)
        await #expect(throws: CancellationError.self) { try await client.images(query: "등대", deadline: anyDeadline) }
        #expect(await transport.requests.count == 1)
    }

    private let broken = Result<UpstreamResponse, any Error>.failure(UpstreamError(.transport, "gone"))
    private let busy = Result<UpstreamResponse, any Error>.success(UpstreamResponse(status: 503, body: []))
    private let none = Result<UpstreamResponse, any Error>.success(
        UpstreamResponse(status: 200, body: Array(#"{"documents":[]}"#.utf8)))

    private func ask(
        _ transport: any UpstreamTransport, deadline: ContinuousClock.Instant = anyDeadline, fraction: Double = 0.5
    ) async throws -> [PosterCandidate] {
        let client = try KakaoClient(
            baseURL: "http://kakao.example", key: APIKey(sampleKey), transport: transport,
            retry: clock.retry(fraction: fraction))
        return try await client.images(query: "등대", deadline: deadline)
    }
}

/// A transport that advances the clock and then times out.
private actor SlowTransport: UpstreamTransport {
    private(set) var deadlines: [ContinuousClock.Instant] = []
    private let clock: InstantClock
    private let takes: Duration

    init(clock: InstantClock, takes: Duration) {
        self.clock = clock
        self.takes = takes
    }

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        deadlines.append(deadline)
        clock.advance(by: takes)
        throw UpstreamError(.timeout, "slow")
    }
}
