import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct DisconnectionTests {
    let scene = BrokerScene()

    private var leaves: [WorkerLeaveReason] {
        scene.notes.compactMap { if case .workerLeft(_, _, let reason) = $0 { reason } else { nil } }
    }

    private var cancels: [UInt64?] {
        scene.notes.compactMap { if case .cancelled(let id, _) = $0 { .some(id?.call) } else { nil } }
    }

    @Test func `the end of a worker's connection removes it at once`() {
        scene.join("doomed")
        scene.ask()
        scene.join("heir")
        scene.disconnect("doomed")
        #expect(leaves == [.connectionLost])
        #expect(scene.dispatches(to: "heir").map { $0.control?.attempts } == [2])
        #expect(scene.broker.report(at: scene.now).workers.map(\.instance) == ["heir"])
    }

    @Test func `an end that is reported twice counts once`() {
        scene.join("doomed")
        scene.ask()
        scene.disconnect("doomed")
        let notes = scene.notes
        scene.disconnect("doomed")
        scene.disconnect("unauthenticatedPeer")
        #expect(scene.notes == notes)
    }

    @Test func `a message of a worker after its end is that of an unregistered peer`() throws {
        scene.join("doomed")
        scene.ask()
        let late = try #require(scene.dispatches(to: "doomed").first)
        scene.disconnect("doomed")
        scene.finish(late, as: "doomed")
        #expect(scene.heard(by: "doomed") == [.disconnect(extra: [])])
        #expect(scene.answers().isEmpty)
        #expect(scene.count(of: .unregistered) == 1)
        scene.join("doomed")
        #expect(scene.dispatches(to: "doomed").count == 1)
        scene.disconnect("doomed")
        #expect(leaves == [.connectionLost, .connectionLost])
        #expect(scene.broker.report(at: scene.now).queued == 1)
    }

    @Test func `waiting requests of a disconnected client are forgotten`() throws {
        scene.join("worker")
        scene.ask(call: 1)
        let begun = try #require(scene.dispatches(to: "worker").first)
        scene.ask(call: 2)
        scene.ask(call: 3, by: "other")
        scene.askPlainly(body: [Frame(text: "plain")])
        scene.disconnect("client")
        #expect(cancels == [2, nil])
        #expect(scene.answers().isEmpty)
        #expect(scene.broker.report(at: scene.now).queued == 1)
        scene.finish(begun, as: "worker")
        #expect(scene.answers().map(\.call) == [1], "the socket drops the answer to a disconnected client")
        #expect(scene.dispatches(to: "worker").map(\.call) == [3])
    }

    @Test func `a service requested only by the lost client is forgotten`() {
        scene.ask("nobody")
        scene.disconnect("client")
        let report = scene.broker.report(at: scene.now)
        #expect(report.services.isEmpty)
        #expect(report.records == 0)
    }

    @Test func `a request after the end is a new one`() {
        scene.join("busy")
        scene.ask(call: 1, by: "other")
        scene.ask(call: 2)
        scene.disconnect("client")
        scene.ask(call: 2)
        #expect(scene.count(of: .duplicate) == 0)
        #expect(scene.broker.report(at: scene.now).queued == 1)
        scene.disconnect("client")
        #expect(scene.broker.report(at: scene.now).queued == 0)
    }

    @Test func `a lost worker does not make the next tick seem late`() {
        scene.join("steady", heartbeat: .milliseconds(500))
        scene.join("brief", heartbeat: .milliseconds(50))
        scene.apply { scene.broker.ticked(at: scene.now, &$0) }
        scene.disconnect("brief")
        scene.advanceWithoutTick(by: .milliseconds(499))
        scene.ask("elsewhere")
        scene.advance(by: .milliseconds(1001))
        #expect(leaves == [.connectionLost, .silent], "no suspension gave it another interval")
    }
}
