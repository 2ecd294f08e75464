import BrokerMachine
import Envelope
import Localization
import Majordomo
import MessageBus
import Testing

@testable import BrokerCore

@Suite struct BrokerTallyTests {
    private static let id = RequestID(query: 0xa1, call: 0xb2)
    private static let info = ServiceInfo(
        name: "broker", id: "broker/1", version: "1.2.3", started: "", uptimeSeconds: 0)

    private func tally(_ events: LedgerEvent..., maxServices: Int = 64) -> BrokerTally {
        var tally = BrokerTally(maxServices: maxServices)
        for (second, event) in events.enumerated() { tally.record(event, at: Int64(second) * 1_000_000) }
        return tally
    }

    private func joined(_ service: String) -> LedgerEvent {
        .workerJoined(service: service, instance: "\(service)/1", capacity: 1)
    }

    private func answered(_ service: String, _ took: Duration) -> LedgerEvent {
        .answered(id: Self.id, service: service, instance: "\(service)/1", took: took)
    }

    private let idle = BrokerStateMachine(epoch: 1).report(at: .zero)

    @Test func `each service has its own figures`() throws {
        let tally = tally(
            joined("echo"), joined("job"), answered("echo", .microseconds(100)), answered("job", .microseconds(200)),
            answered("echo", .microseconds(100)), .redelivered(id: Self.id, service: "job", instance: "job/1"),
            .refused(id: Self.id, service: "job", .expired), .refused(id: nil, service: "job", .workerLost),
            .cancelled(id: Self.id, service: "echo"))
        let traffic = tally.traffic(idle)
        #expect(traffic.map(\.name) == ["echo", "job"])
        let (echo, job) = (try #require(traffic.first), try #require(traffic.last))
        #expect((echo.requests, echo.answered, echo.redeliveries, echo.expired) == (3, 2, 0, 0))
        #expect((echo.latency.count, echo.latency.p99Microseconds) == (2, 100))
        #expect((job.requests, job.answered, job.redeliveries, job.expired) == (3, 1, 1, 1))
        #expect(job.errors == ["expired": 1, "worker_lost": 1] && echo.errors.isEmpty)
        #expect((job.latency.count, job.latency.p50Microseconds) == (1, 200))
        #expect(tally.stats(of: Self.info, idle).latency.count == 3)
    }

    @Test func `a service that was only requested is not listed`() {
        let tally = tally(
            .queued(id: Self.id, service: "nobody"), .refused(id: Self.id, service: "nobody", .unavailable))
        #expect(tally.traffic(idle).isEmpty)
        #expect(tally.stats(of: Self.info, idle).lastError?.code == FailureCode(rawValue: "unavailable"))
    }

    @Test func `a service keeps its figures when its last worker has left`() {
        let tally = tally(
            joined("echo"), answered("echo", .zero), .workerLeft(service: "echo", instance: "echo/1", reason: .silent),
            joined("echo"), answered("echo", .zero))
        #expect(tally.traffic(idle).map(\.answered) == [2])
    }

    @Test func `service names are bounded, and services beyond the bound count in the total`() {
        let tally = tally(
            joined("a"), joined("b"), joined("c"), answered("c", .zero), answered("a", .zero), maxServices: 2)
        #expect(tally.traffic(idle).map(\.name) == ["a", "b"])
        #expect(tally.stats(of: Self.info, idle).latency.count == 2)
    }

    @Test func `the last refusal is reported with its call and its time`() throws {
        let tally = tally(
            .refused(id: nil, service: "job", .overloaded), .refused(id: Self.id, service: "echo", .expired),
            answered("echo", .zero))
        let last = try #require(tally.stats(of: Self.info, idle).lastError)
        #expect((last.code.rawValue, last.request) == ("expired", "00000000000000a100000000000000b2"))
        #expect(last.at == "1970-01-01T00:00:01.000000Z")
        #expect(last.message.ko.contains("echo") && last.message.en.contains("echo"))
    }

    @Test func `waiting, in-flight and ended requests add up to all requests`() throws {
        var machine = BrokerStateMachine(epoch: 1)
        var tally = BrokerTally()
        var tickets: [Frame] = []
        func apply(_ change: (inout [BrokerStateMachine.Action]) -> Void) {
            var actions: [BrokerStateMachine.Action] = []
            change(&actions)
            for action in actions {
                switch action {
                case .note(let event): tally.record(event, at: 0)
                case .send(_, let message):
                    if case .request(let ticket, _) = WorkerMessage.fromBroker(message.encoded) {
                        tickets.append(ticket)
                    }
                case .end, .inspect: break
                }
            }
        }
        func receive(_ message: WorkerMessage) {
            apply { machine.received(message.encoded(.v02) ?? [], from: Frame(text: "worker"), at: .zero, &$0) }
        }
        let options = WorkerOptions(instance: "echo/1", capacity: 2, heartbeatInterval: .seconds(60))
        receive(.ready(service: Frame(text: "echo"), extra: [options.encoded]))
        for call in 1...5 as ClosedRange<UInt64> {
            let control = ControlFrame(id: RequestID(query: 1, call: call), remainingMilliseconds: 1000)
            let request = ClientMessage.request(service: Frame(text: "echo"), body: [control.encoded()])
            apply { machine.received(request.encoded(.v02), from: Frame(text: "client"), at: .zero, &$0) }
        }
        receive(.final(ticket: try #require(tickets.first), body: []))
        let before = try #require(tally.traffic(machine.report(at: .zero)).first)
        #expect((before.requests, before.answered, before.inFlight, before.queueDepth) == (5, 1, 2, 2))
        #expect((before.workers, before.expired) == (1, 0))

        apply { machine.ticked(at: .seconds(1), &$0) }
        let report = machine.report(at: .seconds(1))
        let after = try #require(tally.traffic(report).first)
        // Two of them are still at the worker, after their callers have been answered.
        #expect((after.requests, after.answered, after.inFlight, after.queueDepth) == (5, 1, 2, 0))
        #expect((after.expired, after.errors) == (4, ["expired": 4]))
        let broker = tally.stats(of: Self.info, report)
        #expect((broker.requests, broker.answered, broker.expired, broker.queueDepth) == (5, 1, 4, 0))
    }
}
