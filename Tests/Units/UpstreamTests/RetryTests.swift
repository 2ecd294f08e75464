import Domain
import Testing
import Upstream

@testable import PosterResolverCore

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

    @Test func `an attempt may use all of the time that is left, since a second one would cost a call`() async throws {
        let transport = RecordingTransport([broken, broken, none])
        let deadline = InstantClock.start + .seconds(20)
        _ = try await ask(transport, deadline: deadline)
        #expect(await transport.deadlines == [deadline, deadline, deadline])
    }

    @Test func `an attempt for which too little time is left is not made`() async throws {
        // Half of 200 ms, and 1.5 s for the attempt.
        for (left, requests) in [(Duration.milliseconds(1599), 1), (.milliseconds(1600), 2)] {
            let transport = RecordingTransport([broken, none])
            let failure = try await upstreamError { _ = try await ask(transport, deadline: clock.now + left) }
            #expect((failure == nil) == (requests == 2))
            #expect(await transport.requests.count == requests)
        }
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
