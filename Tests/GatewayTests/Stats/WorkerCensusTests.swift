import Envelope
import MessageBus
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct WorkerCensusTests {
    private static let instances = ["job/1", "job/2", "job/3"]
    private let call = WorkerCensus(service: "job", instances: instances)

    private func stats(_ id: String) -> Result<ServiceStats, Failure> { .success(StatsSamples.stats(id)) }

    @Test func `everybody is asked at once, and none twice when all have told`() {
        var call = call
        #expect(call.nextRound() == 3)
        for instance in Self.instances { call.answered(instance, stats(instance)) }
        #expect(call.nextRound() == 0)
        #expect(call.missing.isEmpty)
        #expect(call.answers.map(\.instance) == Self.instances)
    }

    @Test func `while one is missing the whole service is asked again`() {
        var call = call
        _ = call.nextRound()
        for instance in ["job/3", "job/1", "job/1"] { call.answered(instance, stats(instance)) }
        #expect(call.missing == ["job/2"])
        #expect(call.nextRound() == 3)
        call.answered("job/2", stats("job/2"))
        #expect(call.nextRound() == 0)
        #expect(call.answers.map(\.instance) == Self.instances)
    }

    @Test func `a service in which one never gets a question is asked twelve times`() {
        var call = call
        var rounds = 0
        while call.nextRound() > 0 {
            rounds += 1
            for instance in ["job/1", "job/2", "job/1"] { call.answered(instance, stats(instance)) }
        }
        #expect(rounds == 12)
        #expect(call.missing == ["job/3"] && call.lastFailure == nil)
    }

    @Test func `after a round that brought a failure and nothing new there is no other`() {
        var call = call
        _ = call.nextRound()
        call.answered("job/1", stats("job/1"))
        call.failed(StatsSamples.timeout)
        #expect(call.nextRound() == 3, "the first round brought somebody")
        call.answered("job/1", stats("job/1"))
        call.failed(StatsSamples.timeout)
        #expect(call.nextRound() == 0)
        #expect(call.missing == ["job/2", "job/3"] && call.lastFailure == StatsSamples.timeout)
    }

    @Test func `a worker that does not know the question has answered`() throws {
        var call = WorkerCensus(service: "job", instances: ["job/1"])
        _ = call.nextRound()
        call.answered("job/1", .failure(StatsSamples.timeout))
        #expect(call.nextRound() == 0)
        #expect(try #require(call.answers.first).answer == .failure(StatsSamples.timeout))
    }

    @Test func `a service without workers is asked once, which tells why`() {
        var call = WorkerCensus(service: "job", instances: [])
        #expect(call.nextRound() == 1)
        call.failed(StatsSamples.timeout)
        #expect(call.nextRound() == 0)
    }

    @Test func `a worker that came since the list was made is taken in`() {
        var call = WorkerCensus(service: "job", instances: [])
        _ = call.nextRound()
        call.answered("job/1", stats("job/1"))
        #expect(call.nextRound() == 0)
        #expect(call.answers.map(\.instance) == ["job/1"])
    }

    @Test func `when one is wanted, all are asked and the others are not told`() {
        var call = WorkerCensus(service: "job", instances: Self.instances, wanted: "job/2")
        #expect(call.nextRound() == 3)
        call.answered("job/1", stats("job/1"))
        call.answered("job/2", stats("job/2"))
        #expect(call.nextRound() == 0)
        #expect(call.answers.map(\.instance) == ["job/2"])
    }
}
