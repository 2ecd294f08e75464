import Majordomo
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

    @Test func itRegistersWithItsOptionsOnceItIsConnected() {
        let scene = Scene()
        #expect(scene.worker.nextDeadline == nil)
        scene.tick()
        #expect(scene.taken().isEmpty)
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func aBrokerThatTwiceDoesNotAgreeWithinASecondIsTakenForAPlainOne() {
        let scene = Scene()
        let leave = Scene.sent(.disconnect(extra: []))
        for _ in 1...2 {
            scene.open()
            #expect(scene.taken() == [Self.ready])
            scene.advance(by: .milliseconds(999))
            #expect(!scene.taken().contains(.reopen))
            scene.advance(by: .milliseconds(1))
            #expect(
                scene.taken() == [leave, .reopen], "it may have registered the worker, and would hand out to nobody")
        }
        scene.open()
        #expect(scene.taken() == [Self.plainReady])
        scene.advance(by: .seconds(5))
        #expect(scene.taken() == [Self.heartbeat, Self.heartbeat], "plain peers use 2.5 s, and agree to nothing")
    }

    @Test func aBrokerThatTwiceEndsTheConnectionInsteadOfAgreeingIsTakenForAPlainOne() {
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

    @Test func aBrokerThatSaysWhyItEndsTheConnectionIsNoPlainOne() {
        let scene = Scene()
        scene.open()
        scene.receive(.disconnect(extra: [Frame(text: "a reason of a later version")]))
        scene.advance(by: .milliseconds(500))
        _ = scene.taken()
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func aBrokerThatAgreedIsGivenTwoTrialsAgain() {
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

    @Test func aBrokerThatIsLateIsNotTakenForAPlainOne() {
        let scene = Scene()
        scene.standStill(for: .seconds(60))
        scene.tick()
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test(arguments: ["connection lost", "broker silent"])
    func theNextConnectionMayLeadToABrokerThatKnowsOurOptions(_ end: String) {
        let scene = Scene.plain()
        switch end {
        case "connection lost": scene.loseConnection()
        default: scene.advance(by: .milliseconds(7500), brokerIsThere: false)
        }
        #expect(scene.taken().last == .reopen)
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func itSendsAHeartbeatAfterAnIntervalOfItsOwnSilence() throws {
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

    @Test func aRequestIsDeliveredWithItsTimeAndAnsweredByItsTicket() throws {
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

    @Test func aPlainRequestHasTenSecondsAndGetsAPlainReply() throws {
        let scene = Scene.agreed()
        scene.receive(.request(ticket: [9], body: [Frame(text: "hello")]))
        let delivery = try #require(scene.deliveries().first)
        #expect(delivery.deadline == .seconds(10))
        scene.finish(delivery)
        #expect(scene.taken() == [Scene.sent(.final(ticket: [9], body: [Frame(text: "done")]))])
    }

    @Test func threeIntervalsWithoutABrokerReopenTheConnection() {
        let scene = Scene.agreed()
        scene.advance(by: .milliseconds(1499), brokerIsThere: false)
        #expect(!scene.taken().contains(.reopen))
        scene.advance(by: .milliseconds(1), brokerIsThere: false)
        #expect(scene.taken() == [.reopen])
        #expect(scene.worker.nextDeadline == nil, "now it waits for a connection")
        scene.open()
        #expect(scene.taken() == [Self.ready])
    }

    @Test func steadyTrafficWithoutATickIsNoStandstill() throws {
        let scene = Scene.agreed()
        for ticket in 0..<20 as Range<UInt8> {
            scene.standStill(for: .milliseconds(200))
            scene.receive(.request(ticket: [ticket], body: []))
            scene.finish(try #require(scene.deliveries().first))
        }
    }

    @Test(arguments: ["tick", "message"]) func whoStoodStillRegistersAnew(_ first: String) throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.standStill(for: .milliseconds(1501))
        if first == "tick" { scene.tick() } else { scene.receive(.request(ticket: [7], body: [])) }
        #expect(scene.taken() == [.reopen], "what came meanwhile has long been given to another")
        scene.finish(delivery)
        #expect(scene.taken().isEmpty)
    }

    @Test func anAnswerAfterReopeningIsDropped() throws {
        let scene = Scene.agreed()
        scene.receive(Self.request)
        let delivery = try #require(scene.deliveries().first)
        scene.loseConnection()
        #expect(scene.taken() == [.reopen])
        scene.loseConnection()
        scene.open()
        #expect(scene.taken() == [Self.ready], "the loss is told once")
        scene.finish(delivery)
        #expect(scene.taken().isEmpty)
    }

    @Test func afterADisconnectItSaysNothingAndReopensAfterAPause() throws {
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
    func aDismissedWorkerDoesNotComeBack(_ reason: WorkerDismissal) throws {
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

    @Test func aReasonOfALaterVersionIsNoDismissal() {
        let scene = Scene.agreed()
        scene.receive(.disconnect(extra: [Frame(text: "moved")]))
        scene.advance(by: .milliseconds(500))
        #expect(scene.taken() == [.reopen])
        #expect(scene.worker.dismissal == nil)
    }
}
