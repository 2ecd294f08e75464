import BrokerMachine
import Majordomo
import MessageBus
import TestSupport
import Testing

/// Requests to the broker itself: the exchanges of `mmi.json`, and the state before and after.
@Suite struct ManagementTests {
    let scene = BrokerScene()

    private func cancel(_ call: UInt64, by client: String = "client") -> [String] {
        let id = ControlFrame(id: RequestID(query: 1, call: call)).encoded()[8..<24]
        scene.askPlainly("mmi.cancel", by: client, body: [Array(id)])
        return scene.answers(to: client).flatMap { $0.content.map(\.text) }
    }

    @Test func `a service is not found after its last worker left`() {
        let question = [Frame(text: "echo")]
        scene.join("worker")
        scene.say(.disconnect(extra: []), as: "worker")
        scene.askPlainly("mmi.service", body: question)
        #expect(scene.answers().map(\.content) == [[Frame(text: "404")]])
    }

    @Test func `a service with requests but without workers is not found`() {
        scene.ask("echo")
        scene.askPlainly("mmi.service", body: [Frame(text: "echo")])
        #expect(scene.answers().map(\.content) == [[Frame(text: "404")]])
    }

    @Test func `a waiting request is cancelled by its client`() {
        scene.ask(call: 1)
        #expect(cancel(1) == ["200"])
        #expect(cancel(1) == ["404"])
        scene.join("worker")
        #expect(scene.dispatches(to: "worker").isEmpty)
        #expect(scene.notes.contains(.cancelled(id: RequestID(query: 1, call: 1), service: "echo")))
    }

    @Test func `the request of another client is not cancelled`() {
        scene.ask(call: 1, by: "client")
        #expect(cancel(1, by: "other") == ["404"])
        scene.join("worker")
        #expect(scene.dispatches(to: "worker").count == 1)
    }

    @Test func `a dispatched request is not cancelled`() throws {
        scene.join("worker")
        scene.ask(call: 1)
        #expect(cancel(1) == ["404"])
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        #expect(scene.answers().map(\.call) == [1])
    }

    @Test(arguments: [[], [[]], [[1, 2, 3]], [Frame(repeating: 0, count: 17)]] as [[Frame]])
    func `cancelling an invalid id finds nothing`(_ body: [Frame]) {
        scene.askPlainly("mmi.cancel", body: body)
        #expect(scene.answers().map(\.content) == [[Frame(text: "404")]])
    }

    @Test(
        arguments: ["mmi.ping", "mmi.info", "mmi.stats", "mmi.services", "mmi.workers", "mmi.events"],
        MajordomoVersion.allCases)
    func `a management request goes to the owner, and its answer to the client`(
        _ name: String, _ version: MajordomoVersion
    ) throws {
        let control = ControlFrame(id: RequestID(query: 1, call: 2), remainingMilliseconds: 100)
        let argument = Frame(text: "17")
        scene.askPlainly(name, body: [control.encoded(), argument], version)
        let inspection = try #require(scene.inspections.first)
        #expect("mmi.\(inspection.subject)" == name)
        #expect(inspection.arguments == [argument])
        scene.apply { $0.append(scene.broker.answer(inspection, [Frame(text: "attributes")])) }
        let body = [control.encoded(), Frame(text: "200"), Frame(text: "attributes")]
        #expect(
            scene.taken(by: "client") == [
                ClientMessage.final(service: Frame(text: name), body: MessageBody(body)).encoded(version)
            ])
    }

    @Test func `a management request is not in the ledger`() {
        scene.askPlainly("mmi.service", body: [Frame(text: "echo")])
        scene.askPlainly("mmi.stats", body: [])
        #expect(scene.broker.counters.requests == 0)
        #expect(scene.broker.nextDeadline == nil)
    }

    @Test func `a worker cannot register a name of the broker`() {
        scene.join("worker", "mmi.service")
        #expect(scene.heard(by: "worker") == [.disconnect(extra: [])])
        scene.askPlainly("mmi.service", body: [Frame(text: "mmi.service")])
        #expect(scene.answers().map(\.content) == [[Frame(text: "404")]])
    }

    @Test(arguments: try GoldenFrames.all("mmi"))
    func `the broker answers management requests as in the vector`(_ vector: GoldenFrames) throws {
        for service in try #require(vector.registered) { scene.join("worker of \(service)", service) }
        scene.receive(vector.wire, from: "peer")
        let reply = try #require(vector.replyWire)
        #expect(scene.taken(by: "peer") == [reply])
        let registered = try #require(vector.registered)
        #expect(scene.broker.report(at: .zero).workers.map(\.service) == registered, "nothing else is registered")
    }
}
