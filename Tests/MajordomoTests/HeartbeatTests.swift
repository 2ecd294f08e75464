import Majordomo
import Testing

@Suite struct HeartbeatTests {
    let scene = BrokerScene()
    private let interval = Duration.milliseconds(500)
    private var isRegistered: Bool { !scene.broker.report(at: scene.now).workers.isEmpty }

    @Test func aHeartbeatIsSentAfterAnIntervalOfSilenceAndNotBefore() {
        scene.join("worker", heartbeat: interval)
        _ = scene.heard(by: "worker")
        scene.advance(by: .milliseconds(499))
        #expect(scene.heard(by: "worker").isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [])])
        scene.advance(by: interval)
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [])])
    }

    @Test func aRequestTakesTheHeartbeatsPlace() {
        scene.join("worker", capacity: 9, heartbeat: interval)
        _ = scene.heard(by: "worker")
        scene.advance(by: .milliseconds(400))
        scene.ask()
        #expect(scene.dispatches(to: "worker").count == 1)
        scene.advance(by: .milliseconds(499))
        #expect(scene.heard(by: "worker").isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [])])
    }

    @Test func aRequestHandedOverInTheSameTickTakesTheHeartbeatsPlace() {
        scene.join("doomed", heartbeat: interval)
        scene.ask()
        scene.advance(by: .milliseconds(1000))
        scene.join("heir", heartbeat: interval)
        _ = scene.heard(by: "heir")
        scene.advance(by: interval)
        let heard = scene.heard(by: "heir")
        #expect(heard.count == 1, "the request and no heartbeat beside it")
        #expect(!heard.contains(.heartbeat(extra: [])))
    }

    @Test(arguments: [(true, 1500), (false, 7500)])
    func threeIntervalsOfSilenceEndARegistration(_ isOurs: Bool, _ milliseconds: Int) {
        if isOurs { scene.join("worker", heartbeat: interval) } else { scene.joinPlainly("worker") }
        scene.advance(by: .milliseconds(milliseconds - 1))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    @Test(arguments: [
        WorkerMessage.heartbeat(extra: []), .final(ticket: [1], body: []), .partial(ticket: [1], body: []),
    ])
    func anyMessageCountsAsAHeartbeat(_ message: WorkerMessage) {
        scene.join("worker", heartbeat: interval)
        scene.advance(by: .milliseconds(1400))
        scene.say(message, as: "worker")
        scene.advance(by: .milliseconds(1499))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    @Test func aWorkerThatIsSilentIsToldNothing() {
        scene.join("worker", heartbeat: interval)
        scene.advance(by: .milliseconds(1499))
        _ = scene.taken(by: "worker")
        scene.advance(by: .seconds(2))
        #expect(scene.taken(by: "worker").isEmpty)
    }

    @Test func anIdleBrokerAsksForNoTick() {
        #expect(scene.broker.nextDeadline == nil)
    }

    @Test func theNextTickIsDueWhenSomethingIs() {
        scene.join("worker", heartbeat: interval)
        #expect(scene.broker.nextDeadline == interval)
        scene.ask(within: .milliseconds(300))
        #expect(scene.broker.nextDeadline == .milliseconds(300))
    }

    @Test func aBrokerThatStoodStillGivesItsWorkersOneMoreInterval() {
        scene.join("worker", heartbeat: interval)
        scene.advanceWithoutTick(by: .seconds(60))
        scene.advance(by: .zero)
        scene.advance(by: .milliseconds(499))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    /// The request that is read first takes a heartbeat's place, so that no deadline tells of the standstill any more.
    @Test func aMessageBeforeTheTickHidesNoStandstill() {
        scene.join("worker", heartbeat: interval)
        scene.advanceWithoutTick(by: .milliseconds(1500))
        scene.ask()
        scene.advance(by: .zero)
        #expect(isRegistered)
    }

    @Test func aStandstillTakesNothingFromAWorkerThatWasJustHeard() {
        scene.join("worker", heartbeat: interval)
        scene.advanceWithoutTick(by: .seconds(60))
        scene.say(.heartbeat(extra: []), as: "worker")
        scene.advance(by: .zero)
        scene.advance(by: interval * 3 - .milliseconds(1))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    /// The tick that sent to it expected the next one for its sake.
    @Test func aWorkerThatIsGoneMakesNoStandstill() {
        scene.joinPlainly("silent")
        scene.advance(by: .seconds(5))
        scene.join("gone", heartbeat: interval)
        scene.advance(by: interval)
        scene.fail(toReach: "gone")
        scene.advance(by: .seconds(2))
        #expect(!isRegistered)
    }

    @Test func aTickThatIsALittleLateIsNoStandstill() {
        scene.join("worker", heartbeat: interval)
        scene.advance(by: .milliseconds(1499))
        scene.advanceWithoutTick(by: .milliseconds(251))
        scene.advance(by: .zero)
        #expect(!isRegistered)
    }
}
