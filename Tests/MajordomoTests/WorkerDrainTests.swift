import Majordomo
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

    @Test func anIdleWorkerSaysGoodbyeOnceTheBrokerHasHeard() {
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

    @Test func aBusyWorkerEndsItsWorkFirst() throws {
        let (scene, delivery) = try busy()
        scene.drain()
        scene.receive(Self.granted)
        #expect(scene.taken() == [Self.drain])
        scene.finish(delivery)
        let reply = Scene.sent(.final(ticket: [1], body: [Frame(text: "done")]))
        #expect(scene.taken() == [reply, Self.disconnect, .stopped])
    }

    @Test func whatTheBrokerSentBeforeItHeardOfTheDrainIsStillWorkedOn() throws {
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

    @Test func whatItWithholdsDoesNotKeepADrainingWorker() throws {
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
        #expect(scene.taken().isEmpty, "it is another worker's by now")
    }

    @Test func whatIsWithheldMakesRoom() {
        let scene = Scene.agreed()
        for number in 1...5 { scene.receive(.request(ticket: [UInt8(number)], body: [])) }
        let begun = scene.deliveries()
        #expect(begun.count == 4)
        scene.withhold(begun[0])
        #expect(scene.deliveries().map(\.ticket) == [[5]])
    }

    @Test func everyHeartbeatOfADrainingWorkerSaysSo() throws {
        let (scene, _) = try busy()
        scene.drain()
        scene.advance(by: .seconds(1))
        #expect(scene.taken() == [Self.drain, Self.drain, Self.drain])
    }

    /// The tickets are worthless then, and nobody waits for this worker.
    @Test(arguments: ["connection lost", "expelled", "dismissed", "broker silent", "stood still"])
    func aDrainingWorkerThatLosesItsBrokerStops(_ how: String) throws {
        let (scene, delivery) = try busy()
        scene.drain()
        _ = scene.taken()
        switch how {
        case "connection lost": scene.loseConnection()
        case "expelled": scene.receive(.disconnect(extra: []))
        case "dismissed": scene.receive(.disconnect(extra: [Frame(text: "doubled")]))
        case "broker silent": scene.advance(by: .milliseconds(1500), brokerIsThere: false)
        default:
            scene.standStill(for: .seconds(5))
            scene.tick()
        }
        #expect(scene.taken().filter { $0 != Self.drain } == [.stopped])
        #expect(scene.worker.dismissal == nil, "it leaves anyway")
        scene.finish(delivery)
        #expect(scene.taken().isEmpty)
    }

    @Test func aWorkerThatIsNotConnectedStopsAtOnce() {
        let scene = Scene()
        scene.drain()
        #expect(scene.taken() == [.stopped])
        scene.open()
        #expect(scene.taken() == [.stopped], "the connection that was under way is closed too")
    }

    @Test func aPlainBrokerIsToldOfDrainingByTheDisconnectOnly() throws {
        let scene = Scene.plain()
        scene.receive(.request(ticket: [1], body: []))
        let delivery = try #require(scene.deliveries().first)
        scene.drain()
        #expect(scene.taken() == [Scene.sent(.heartbeat(extra: []))])
        scene.finish(delivery)
        #expect(scene.taken().suffix(2) == [Self.disconnect, .stopped])
    }

    @Test func anIdleWorkerOfAPlainBrokerHasNoAnswerToWaitFor() {
        let scene = Scene.plain()
        scene.drain()
        #expect(scene.taken() == [Self.disconnect, .stopped])
    }
}
