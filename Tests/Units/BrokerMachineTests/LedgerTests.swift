import MessageBus
import Testing

@testable import BrokerMachine
@testable import Majordomo

@Suite struct LedgerTests {
    let scene = BrokerScene()

    @Test func `the waiting time of a request is subtracted from its remaining time`() throws {
        scene.ask(within: .seconds(5))
        scene.advance(by: .milliseconds(1200))
        scene.join("worker")
        let control = try #require(scene.dispatches(to: "worker").first?.control)
        #expect(control.remainingMilliseconds == 3800)
        #expect(control.queuedMicroseconds == 1_200_000)
        #expect(control.flags.contains(.idempotent))
        #expect(control.id == RequestID(query: 1, call: 1))
    }

    @Test func `a reply states the number of attempts and the queue time over all attempts`() throws {
        scene.ask()
        scene.advance(by: .milliseconds(700))
        scene.join("first")
        scene.advance(by: .milliseconds(3000))
        scene.say(.disconnect(extra: []), as: "first")
        scene.advance(by: .microseconds(1250))
        scene.join("second")
        let dispatch = try #require(scene.dispatches(to: "second").first)
        #expect(dispatch.control?.remainingMilliseconds == 56_298, "60 s less 3.70125 s, rounded down")
        scene.advance(by: .seconds(1))
        scene.finish(dispatch, as: "second")
        let control = try #require(scene.answers().first?.control)
        #expect(control.attempts == 2)
        #expect(control.queuedMicroseconds == 701_250)
    }

    @Test func `the ledger keeps no record of an ended request`() throws {
        func records() -> Int { scene.broker.report(at: scene.now).records }
        scene.join("worker")
        scene.ask(call: 1)
        scene.ask(call: 2, within: .seconds(1))
        scene.askPlainly()
        #expect(records() > 2)
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        scene.advance(by: .seconds(15))
        #expect(records() == 0)
    }

    @Test func `a PARTIAL is stamped like a reply`() throws {
        scene.join("worker")
        scene.ask()
        scene.finishPartly(try #require(scene.dispatches(to: "worker").first), as: "worker")
        #expect(scene.answers().map { $0.control?.attempts } == [1])
    }

    @Test func `every step of a request is reported as an event`() throws {
        let id = RequestID(query: 1, call: 1)
        scene.join("a")
        scene.ask()
        scene.advance(by: .seconds(1))
        scene.join("b")
        scene.say(.disconnect(extra: []), as: "a")
        scene.finish(try #require(scene.dispatches(to: "b").first), as: "b")
        #expect(
            scene.notes == [
                .workerJoined(service: "echo", instance: "a", capacity: 1),
                .queued(id: id, service: "echo"),
                .dispatched(id: id, service: "echo", instance: "a", attempt: 1, queued: .zero),
                .workerJoined(service: "echo", instance: "b", capacity: 1),
                .workerLeft(service: "echo", instance: "a", reason: .disconnected),
                .redelivered(id: id, service: "echo", instance: "a"),
                .dispatched(id: id, service: "echo", instance: "b", attempt: 2, queued: .zero),
                .answered(id: id, service: "echo", instance: "b", took: .seconds(1)),
            ])
    }

    @Test func `the report and the counters state what happened`() throws {
        scene.join("worker", capacity: 2)
        for call in 1...4 as ClosedRange<UInt64> { scene.ask(call: call) }
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        let report = scene.broker.report(at: .seconds(3))
        #expect(report.inFlight == 2)
        #expect(report.queued == 1)
        #expect(report.counters.requests == 4)
        #expect(report.counters.answered == 1)
        let worker = try #require(report.workers.first)
        #expect(worker.inFlight == 2)
        #expect(worker.served == 1)
        #expect(worker.registered == .seconds(3))
        #expect(
            report.services == [BrokerReport.Service(name: "echo", workers: 1, queued: 1, inFlight: 2, pending: 3)])
    }

    /// Covers every kind of ending.
    @Test func `no record is left when all requests have ended`() throws {
        scene.join("worker", capacity: 2)
        scene.ask(call: 1)
        scene.ask(call: 2, isIdempotent: false)
        scene.ask(call: 3, within: .seconds(1))
        scene.askPlainly()
        scene.ask("nobody", call: 4)
        scene.askPlainly("nobody")
        scene.ask("nobody at once", call: 5, within: .zero)
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        scene.advance(by: .seconds(1))
        scene.say(.disconnect(extra: []), as: "worker")
        #expect(!scene.broker.entries.isEmpty)
        scene.advance(by: .seconds(60))
        #expect(scene.broker.entries.isEmpty)
        #expect(scene.broker.entryByRequest.isEmpty)
        #expect(scene.broker.services.isEmpty)
        #expect(scene.broker.workers.isEmpty)
        #expect(scene.broker.nextDeadline == nil, "no reminder is left either")
    }

    @Test func `the name of an unknown service is forgotten`() {
        for call in 1...100 as ClosedRange<UInt64> { scene.ask("service \(call)", call: call) }
        #expect(scene.broker.services.count == 100)
        scene.advance(by: .seconds(2))
        #expect(scene.broker.services.isEmpty)
        #expect(scene.answers().count == 100)
    }
}
