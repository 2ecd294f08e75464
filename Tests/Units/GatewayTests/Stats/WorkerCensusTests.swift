import Envelope
import Inspection
import MessageBus
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct WorkerCensusTests {
    private static let instances = ["job/1", "job/2", "job/3"]
    private let call = WorkerCensus<ServiceStats>(service: "job", instances: instances)

    private func stats(_ id: String) -> Result<ServiceStats, Failure> { .success(StatsSamples.stats(id)) }

    @Test func `one round asks all workers, and there is no second round when all answered`() {
        var call = call
        #expect(call.nextRound() == 3)
        for instance in Self.instances { call.answered(instance, stats(instance)) }
        #expect(call.nextRound() == 0)
        #expect(call.missing.isEmpty)
        #expect(call.answers.map(\.instance) == Self.instances)
    }

    @Test func `while one worker is missing the whole service is asked again`() {
        var call = call
        _ = call.nextRound()
        for instance in ["job/3", "job/1", "job/1"] { call.answered(instance, stats(instance)) }
        #expect(call.missing == ["job/2"])
        #expect(call.nextRound() == 3)
        call.answered("job/2", stats("job/2"))
        #expect(call.nextRound() == 0)
        #expect(call.answers.map(\.instance) == Self.instances)
    }

    @Test func `a service with a worker that gets no question is asked twelve times`() {
        var call = call
        var rounds = 0
        while call.nextRound() > 0 {
            rounds += 1
            for instance in ["job/1", "job/2", "job/1"] { call.answered(instance, stats(instance)) }
        }
        #expect(rounds == 12)
        #expect(call.missing == ["job/3"] && call.lastFailure == nil)
    }

    @Test func `a round with a failure and no new answer is the last one`() {
        var call = call
        _ = call.nextRound()
        call.answered("job/1", stats("job/1"))
        call.failed(StatsSamples.timeout)
        #expect(call.nextRound() == 3, "the first round reached a worker")
        call.answered("job/1", stats("job/1"))
        call.failed(StatsSamples.timeout)
        #expect(call.nextRound() == 0)
        #expect(call.missing == ["job/2", "job/3"] && call.lastFailure == StatsSamples.timeout)
    }

    @Test func `a worker that does not support the question counts as answered`() throws {
        var call = WorkerCensus<ServiceStats>(service: "job", instances: ["job/1"])
        _ = call.nextRound()
        call.answered("job/1", .failure(StatsSamples.timeout))
        #expect(call.nextRound() == 0)
        #expect(try #require(call.answers.first).answer == .failure(StatsSamples.timeout))
    }

    @Test func `a service without workers is asked once, which returns the reason`() {
        var call = WorkerCensus<ServiceStats>(service: "job", instances: [])
        #expect(call.nextRound() == 1)
        call.failed(StatsSamples.timeout)
        #expect(call.nextRound() == 0)
    }

    @Test func `a worker that registered after the list was made is included`() {
        var call = WorkerCensus<ServiceStats>(service: "job", instances: [])
        _ = call.nextRound()
        call.answered("job/1", stats("job/1"))
        #expect(call.nextRound() == 0)
        #expect(call.answers.map(\.instance) == ["job/1"])
    }

    @Test func `when one worker is wanted, all are asked and only that one is reported`() {
        var call = WorkerCensus<ServiceStats>(service: "job", instances: Self.instances, wanted: "job/2")
        #expect(call.nextRound() == 3)
        call.answered("job/1", stats("job/1"))
        call.answered("job/2", stats("job/2"))
        #expect(call.nextRound() == 0)
        #expect(call.answers.map(\.instance) == ["job/2"])
    }
}
