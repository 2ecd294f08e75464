import Majordomo
import MessageBus
import Testing

@Suite struct WorkerStateMachineTests {
    private typealias Scene = WorkerScene
    private static let id = RequestID(query: 1, call: 2)
    private static let request = WorkerMessage.request(
        ticket: [1, 2, 3],
        body: [ControlFrame(id: id, remainingMilliseconds: 700, attempts: 2).encoded(), Frame(text: "hello")])
    private static let ready = Scene.sent(.ready(service: Frame(text: "echo"), extra: [Scene.options.encoded]))
    private static let plainReady = Scene.sent(.ready(service: Frame(text: "echo"), extra: []))
    private static let heartbeat = Scene.sent(.heartbeat(extra: []))
    private static let final = Scene.sent(
        .final(ticket: [1, 2, 3], body: [ControlFrame(id: id).encoded(), Frame(text: "done")]))

    @Test func `a worker registers with its options once it is connected`() {
        let scene = Scene()
        #expect(scene.worker.nextDeadline == nil)
        scene.tick()
        #expect(scene.taken().isEmpty)
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func `a broker that twice does not agree within a second is treated as a plain one`() {
        let scene = Scene()
        let leave = Scene.sent(.disconnect(extra: []))
        for _ in 1...2 {
            scene.open()
            #expect(scene.taken() == [Self.ready])
            scene.advance(by: .milliseconds(999))
            #expect(!scene.taken().contains(.reopen))
            scene.advance(by: .milliseconds(1))
            #expect(
                scene.taken() == [leave, .reopen], "it may have registered the worker and must not dispatch to it")
        }
        scene.open()
        #expect(scene.taken() == [Self.plainReady])
        scene.advance(by: .seconds(5))
        #expect(scene.taken() == [Self.heartbeat, Self.heartbeat], "plain peers use 2.5 s, and agree to nothing")
    }

    @Test func `a broker that twice disconnects instead of agreeing is treated as a plain one`() {
        let scene = Scene()
        for _ in 1...2 {
            scene.open()
            #expect(scene.taken() == [Self.ready])
            scene.receive(.disconnect(extra: []))
            scene.advance(by: .milliseconds(500))
            #expect(scene.taken() == [.reopen])
        }
        scene.open()
        #expect(scene.taken() == [Self.plainReady])
    }

    @Test func `a broker that states a reason in its DISCONNECT is not a plain one`() {
        let scene = Scene()
        scene.open()
        scene.receive(.disconnect(extra: [Frame(text: "a reason of a later version")]))
        scene.advance(by: .milliseconds(500))
        _ = scene.taken()
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func `a broker that agreed gets two trials again`() {
        let scene = Scene()
        scene.open()
        scene.advance(by: .seconds(1))
        scene.open()
        scene.receive(.heartbeat(extra: [Scene.options.encoded]))
        scene.loseConnection()
        scene.open()
        scene.advance(by: .seconds(1))
        _ = scene.taken()
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func `a slow broker is not treated as a plain one`() {
        let scene = Scene()
        scene.suspend(for: .seconds(60))
        scene.tick()
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test(arguments: ["connection lost", "broker silent"])
    func `the options are tried again on the next connection`(_ end: String) {
        let scene = Scene.plain()
        switch end {
        case "connection lost": scene.loseConnection()
        default: scene.advance(by: .milliseconds(7500), isBrokerConnected: false)
        }
        #expect(scene.taken().last == .reopen)
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func `a worker sends a heartbeat after an interval without sending`() throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.advance(by: .milliseconds(400))
        scene.finish(delivery)
        #expect(scene.taken() == [Self.final])
        scene.advance(by: .milliseconds(499))
        #expect(scene.taken().isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.taken() == [Self.heartbeat])
    }

    @Test func `a request is delivered with its deadline and answered with its ticket`() throws {
        let scene = Scene.agreed()
        scene.advance(by: .milliseconds(100))
        scene.receive(Self.request)
        scene.receive(Self.request)
        let deliveries = scene.deliveries()
        #expect(deliveries.count == 1, "a ticket is delivered once")
        let delivery = try #require(deliveries.first)
        #expect(delivery.deadline == .milliseconds(800))
        #expect(delivery.content == [Frame(text: "hello")])
        #expect(delivery.control?.attempts == 2)
        scene.finish(delivery)
        scene.finish(delivery)
        #expect(scene.taken() == [Self.final])
    }

    @Test func `a plain request has fifteen seconds and gets a plain reply`() throws {
        let scene = Scene.agreed()
        scene.receive(.request(ticket: [9], body: [Frame(text: "hello")]))
        let delivery = try #require(scene.deliveries().first)
        #expect(delivery.deadline == .seconds(15))
        scene.finish(delivery)
        #expect(scene.taken() == [Scene.sent(.final(ticket: [9], body: [Frame(text: "done")]))])
    }

    @Test func `three intervals without a broker reopen the connection`() {
        let scene = Scene.agreed()
        scene.advance(by: .milliseconds(1499), isBrokerConnected: false)
        #expect(!scene.taken().contains(.reopen))
        scene.advance(by: .milliseconds(1), isBrokerConnected: false)
        #expect(scene.taken() == [.reopen])
        #expect(scene.worker.nextDeadline == nil, "now it waits for a connection")
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func `steady traffic without a tick is no suspension`() throws {
        let scene = Scene.agreed()
        for ticket in 0..<20 as Range<UInt8> {
            scene.suspend(for: .milliseconds(200))
            scene.receive(.request(ticket: [ticket], body: []))
            scene.finish(try #require(scene.deliveries().first))
        }
    }

    @Test(arguments: ["tick", "message"]) func `a suspended worker registers again`(_ first: String) throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.suspend(for: .milliseconds(1501))
        if first == "tick" { scene.tick() } else { scene.receive(.request(ticket: [7], body: [])) }
        #expect(scene.taken() == [.reopen], "requests that came meanwhile have been redelivered")
        scene.finish(delivery)
        #expect(scene.taken().isEmpty)
    }

    @Test func `an answer after reopening is dropped`() throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.loseConnection()
        #expect(scene.taken() == [.reopen])
        scene.loseConnection()
        scene.open()
        #expect(scene.taken() == [Self.ready], "the loss is reported once")
        scene.finish(delivery)
        #expect(scene.taken().isEmpty)
    }

    @Test func `after a DISCONNECT a worker sends nothing and reconnects after a pause`() throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.advance(by: .milliseconds(300))
        scene.receive(.disconnect(extra: []))
        scene.finish(delivery)
        scene.advance(by: .milliseconds(499))
        #expect(scene.taken().isEmpty)
        scene.receive(.disconnect(extra: []))
        scene.advance(by: .milliseconds(1))
        #expect(scene.taken() == [.reopen], "a second DISCONNECT does not prolong the pause")
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test(arguments: [WorkerDismissal.doubled, .exclusive])
    func `a dismissed worker does not reconnect`(_ reason: WorkerDismissal) throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.receive(.disconnect(extra: [Frame(text: reason.rawValue)]))
        #expect(scene.taken() == [.stopped])
        #expect(scene.worker.dismissal == reason)
        scene.finish(delivery)
        scene.advance(by: .seconds(5))
        #expect(scene.taken().isEmpty)
    }

    @Test func `a reason of a later version is no dismissal`() {
        let scene = Scene.agreed()
        scene.receive(.disconnect(extra: [Frame(text: "moved")]))
        scene.advance(by: .milliseconds(500))
        #expect(scene.taken() == [.reopen])
        #expect(scene.worker.dismissal == nil)
    }
}
