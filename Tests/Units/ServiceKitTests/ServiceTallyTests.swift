import Envelope
import Localization
import MessageBus
import Testing

@testable import ServiceKit

@Suite struct ServiceTallyTests {
    private static let info = ServiceInfo(
        name: "echo", id: "echo/1", version: "1.2.3", started: "2026-11-21T08:09:10.000000Z", uptimeSeconds: 1.5)
    private static let notFound = Failure(.unavailable, LocalizedText(ko: "없음", en: "none"), isRetryable: false)
    private static let late = Failure(.timeout, LocalizedText(ko: "늦음", en: "late"), isRetryable: true)

    private func stats(
        _ tally: ServiceTally, busFailures: [FailureCode: Int] = [:], droppedEvents: Int = 0
    ) -> ServiceStats {
        tally.stats(of: Self.info, busFailures: busFailures, droppedEvents: droppedEvents, upstreams: nil)
    }

    @Test func `a worker without requests has zero counts and no queue`() {
        let stats = stats(ServiceTally())
        #expect((stats.name, stats.id, stats.version) == ("echo", "echo/1", "1.2.3"))
        #expect((stats.started, stats.uptimeSeconds) == (Self.info.started, 1.5))
        #expect((stats.requests, stats.answered, stats.inFlight) == (0, 0, 0))
        #expect((stats.redeliveries, stats.expired) == (0, 0))
        #expect(stats.errors.isEmpty && stats.dropped.isEmpty)
        #expect(stats.lastError == nil && stats.queueDepth == nil)
        #expect(stats.latency.count == 0)
    }

    @Test func `a request is begun, in flight, and then answered`() {
        var tally = ServiceTally()
        tally.began(attempts: 1)
        tally.began(attempts: 1)
        #expect(stats(tally).inFlight == 2)
        tally.ended(nil, request: "a", at: 0, took: .microseconds(20))
        let stats = stats(tally)
        #expect((stats.requests, stats.answered, stats.inFlight) == (2, 1, 1))
        #expect((stats.latency.count, stats.latency.maxMicroseconds) == (1, 20))
    }

    @Test func `failures are counted by code, and the last one is reported in full`() {
        var tally = ServiceTally()
        for (number, failure) in [Self.late, Self.notFound, Self.late, nil].enumerated() {
            tally.began(attempts: 1)
            tally.ended(failure, request: "call \(number)", at: Int64(number) * 1_000_000, took: .milliseconds(1))
        }
        let stats = stats(tally)
        #expect(stats.errors == ["timeout": 2, "unavailable": 1])
        #expect(
            stats.lastError
                == ServiceStats.LastError(
                    code: .timeout, message: Self.late.message, at: "1970-01-01T00:00:02.000000Z", request: "call 2"))
        #expect((stats.answered, stats.latency.count) == (4, 4))
    }

    @Test func `a request that expired before its start is not an answer and has no latency`() {
        var tally = ServiceTally()
        tally.began(attempts: 1)
        tally.expiredUnstarted()
        let stats = stats(tally)
        #expect((stats.requests, stats.answered, stats.inFlight, stats.expired) == (1, 0, 0, 1))
        #expect(stats.latency.count == 0)
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (3, 1)])
    func `a request with a second attempt counts as a redelivery`(attempts: Int, redeliveries: Int) {
        var tally = ServiceTally()
        tally.began(attempts: attempts)
        #expect(stats(tally).redeliveries == redeliveries)
    }

    @Test func `failures answered by the bus count as errors, and lost events as dropped`() {
        var tally = ServiceTally()
        tally.began(attempts: 1)
        tally.ended(Self.late, request: nil, at: 0, took: .zero)
        let stats = stats(tally, busFailures: [.timeout: 1, .unsupportedVersion: 4], droppedEvents: 7)
        #expect(stats.errors == ["timeout": 2, "unsupported_version": 4])
        #expect(stats.dropped == ["event": 7])
        #expect(stats.requests == 1)
    }
}
