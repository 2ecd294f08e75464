import Majordomo
import MessageBus
import Testing

/// Our worker and client in 0.1, which is for plain brokers: no options, no refusals, no `mmi.cancel`.
@Suite struct FirstVersionTests {
    private static let ready = WorkerScene.sent(.ready(service: Frame(text: "echo"), extra: []), .v01)
    private static let heartbeat = WorkerScene.sent(.heartbeat(extra: []), .v01)
    private static let leave = WorkerScene.sent(.disconnect(extra: []), .v01)
    private static let client = Frame(text: "client")

    private func request(_ call: UInt64) -> WorkerMessage {
        let control = ControlFrame(id: RequestID(query: 1, call: call), remainingMilliseconds: 700)
        return .request(ticket: Self.client, body: [control.encoded(), Frame(text: "hello")])
    }

    private func reply(_ call: UInt64) -> WorkerStateMachine.Action {
        let control = ControlFrame(id: RequestID(query: 1, call: call)).encoded()
        return WorkerScene.sent(.final(ticket: Self.client, body: [control, Frame(text: "done")]), .v01)
    }

    @Test func `a worker registers without options and uses the plain interval`() {
        let scene = WorkerScene(.v01)
        scene.open()
        #expect(scene.taken() == [Self.ready])
        scene.advance(by: .seconds(5))
        #expect(scene.taken() == [Self.heartbeat, Self.heartbeat], "there is no agreement to wait for")
    }

    @Test(arguments: ["connection lost", "broker silent", "disconnected"])
    func `the next connection is plain too`(_ end: String) {
        let scene = WorkerScene(.v01)
        scene.open()
        _ = scene.taken()
        switch end {
        case "connection lost": scene.loseConnection()
        case "broker silent": scene.advance(by: .milliseconds(7500), isBrokerConnected: false)
        default:
            scene.receive(.disconnect(extra: []))
            scene.advance(by: .milliseconds(2500))
        }
        #expect(scene.taken().last == .reopen)
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func `a reply goes to the client's address with the request's id`() throws {
        let scene = WorkerScene(.v01)
        scene.open()
        scene.receive(request(7))
        let delivery = try #require(scene.deliveries().first)
        #expect(delivery.content == [Frame(text: "hello")])
        #expect(delivery.deadline == .milliseconds(700))
        scene.finish(delivery)
        #expect(scene.taken() == [reply(7)])
    }

    @Test func `a late reply is not used for the client's next request`() throws {
        let scene = WorkerScene(.v01)
        scene.open()
        scene.receive(request(7))
        let late = try #require(scene.deliveries().first)
        scene.loseConnection()
        scene.open()
        scene.receive(request(8))
        let next = try #require(scene.deliveries().first)
        scene.finish(late)
        #expect(scene.taken().isEmpty)
        scene.finish(next)
        #expect(scene.taken() == [reply(8)])
    }

    @Test func `a draining worker answers its requests and leaves`() throws {
        let scene = WorkerScene(.v01)
        scene.open()
        scene.receive(request(7))
        let delivery = try #require(scene.deliveries().first)
        scene.drain()
        #expect(scene.taken() == [Self.heartbeat], "a plain broker does not support draining")
        scene.finish(delivery)
        #expect(scene.taken() == [reply(7), Self.leave, .stopped])
    }

    @Test func `a client sends a request and gets its reply`() {
        var client = ClientStateMachine(version: .v01, at: .zero)
        let (id, service) = (RequestID(query: 1, call: 2), Frame(text: "echo"))
        _ = client.connected(at: .zero)
        let control = ControlFrame(id: id, flags: .idempotent, remainingMilliseconds: 5000)
        let actions = client.requested(
            id, service: service, content: [Frame(text: "hello")], isIdempotent: true, deadline: .seconds(5),
            at: .zero)
        let request = ClientMessage.request(service: service, body: [control.encoded(), Frame(text: "hello")])
        #expect(actions == [.send(.client(.v01, request))])
        let answer = ControlFrame(id: id)
        let head = [[], Frame(text: "MDPC01"), service]
        #expect(
            client.received(head + [answer.encoded(), Frame(text: "done")], at: .zero)
                == [.end(id, .reply(answer, [Frame(text: "done")]))])
    }

    @Test func `a client of 0.1 sends nothing when a request is cancelled`() {
        var client = ClientStateMachine(version: .v01, at: .zero)
        let id = RequestID(query: 1, call: 2)
        _ = client.connected(at: .zero)
        _ = client.requested(
            id, service: Frame(text: "echo"), content: [], isIdempotent: true, deadline: .seconds(5), at: .zero)
        #expect(client.cancelled(id, at: .zero).isEmpty, "a plain broker would queue mmi.cancel for a worker")
        #expect(client.nextDeadline == nil)
    }
}
