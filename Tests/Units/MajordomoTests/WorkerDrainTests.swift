import Majordomo
import MessageBus
import Testing

@Suite struct WorkerDrainTests {
    private typealias Scene = WorkerScene
    private static let drain = Scene.sent(.heartbeat(extra: [Frame(text: "drain")]))
    private static let granted = WorkerMessage.heartbeat(extra: [Frame(text: "drain")])
    private static let disconnect = Scene.sent(.disconnect(extra: []))

    private func busy() throws -> (WorkerScene, WorkerStateMachine.Delivery) {
        let scene = Scene.agreed()
        scene.receive(.request(ticket: [1], body: []))
        return (scene, try #require(scene.deliveries().first))
    }

    @Test func `an idle worker disconnects once the broker has granted the drain`() {
        let scene = Scene.agreed()
        scene.drain()
        #expect(scene.taken() == [Self.drain])
        scene.receive(.heartbeat(extra: []))
        #expect(scene.taken().isEmpty, "a heartbeat that was on its way is no answer")
        scene.receive(Self.granted)
        #expect(scene.taken() == [Self.disconnect, .stopped])
        scene.drain()
        scene.loseConnection()
        scene.advance(by: .seconds(9))
        #expect(scene.taken().isEmpty)
        #expect(scene.worker.nextDeadline == nil)
    }

    @Test func `a busy worker finishes its work first`() throws {
        let (scene, delivery) = try busy()
        scene.drain()
        scene.receive(Self.granted)
        #expect(scene.taken() == [Self.drain])
        scene.finish(delivery)
        let reply = Scene.sent(.final(ticket: [1], body: [Frame(text: "done")]))
        #expect(scene.taken() == [reply, Self.disconnect, .stopped])
    }

    @Test func `requests that the broker sent before it received the drain are still processed`() throws {
        let (scene, first) = try busy()
        scene.drain()
        scene.finish(first)
        #expect(!scene.taken().contains(.stopped), "the next request may be on its way")
        scene.receive(.request(ticket: [2], body: []))
        let second = try #require(scene.deliveries().first)
        scene.receive(Self.granted)
        #expect(scene.taken().isEmpty)
        scene.finish(second)
        #expect(scene.taken().suffix(2) == [Self.disconnect, .stopped])
    }

    @Test func `a request returned without a reply does not delay a draining worker`() throws {
        let (scene, returned) = try busy()
        scene.receive(.request(ticket: [2], body: []))
        let second = try #require(scene.deliveries().first)
        scene.drain()
        scene.receive(Self.granted)
        _ = scene.taken()
        scene.withhold(returned)
        #expect(scene.taken().isEmpty, "it has no reply, and the other is still being worked on")
        scene.finish(second)
        #expect(scene.taken().suffix(2) == [Self.disconnect, .stopped])
        scene.finish(returned)
        #expect(scene.taken().isEmpty, "it has been redelivered by now")
    }

    @Test func `a request returned without a reply frees capacity`() {
        let scene = Scene.agreed()
        for number in 1...5 { scene.receive(.request(ticket: [UInt8(number)], body: [])) }
        let begun = scene.deliveries()
        #expect(begun.count == 4)
        scene.withhold(begun[0])
        #expect(scene.deliveries().map(\.ticket) == [[5]])
    }

    @Test func `every heartbeat of a draining worker carries the drain frame`() throws {
        let (scene, _) = try busy()
        scene.drain()
        scene.advance(by: .seconds(1))
        #expect(scene.taken() == [Self.drain, Self.drain, Self.drain])
    }

    /// The tickets are invalid then, so there is nothing to wait for.
    @Test(arguments: ["connection lost", "expelled", "dismissed", "broker silent", "suspended"])
    func `a draining worker that loses its broker stops`(_ how: String) throws {
        let (scene, delivery) = try busy()
        scene.drain()
        _ = scene.taken()
        switch how {
        case "connection lost": scene.loseConnection()
        case "expelled": scene.receive(.disconnect(extra: []))
        case "dismissed": scene.receive(.disconnect(extra: [Frame(text: "doubled")]))
        case "broker silent": scene.advance(by: .milliseconds(1500), isBrokerConnected: false)
        default:
            scene.suspend(for: .seconds(5))
            scene.tick()
        }
        #expect(scene.taken().filter { $0 != Self.drain } == [.stopped])
        #expect(scene.worker.dismissal == nil, "it leaves anyway")
        scene.finish(delivery)
        #expect(scene.taken().isEmpty)
    }

    @Test func `an unconnected worker stops at once`() {
        let scene = Scene()
        scene.drain()
        #expect(scene.taken() == [.stopped])
        scene.open()
        #expect(scene.taken() == [.stopped], "the connection that was under way is closed too")
    }

    @Test func `a plain broker gets only the DISCONNECT of a draining worker`() throws {
        let scene = Scene.plain()
        scene.receive(.request(ticket: [1], body: []))
        let delivery = try #require(scene.deliveries().first)
        scene.drain()
        #expect(scene.taken() == [Scene.sent(.heartbeat(extra: []))])
        scene.finish(delivery)
        #expect(scene.taken().suffix(2) == [Self.disconnect, .stopped])
    }

    @Test func `an idle worker of a plain broker stops without waiting for an answer`() {
        let scene = Scene.plain()
        scene.drain()
        #expect(scene.taken() == [Self.disconnect, .stopped])
    }
}
