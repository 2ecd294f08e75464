import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct HeartbeatTests {
    let scene = BrokerScene()
    private let interval = Duration.milliseconds(500)
    private var isRegistered: Bool { !scene.broker.report(at: scene.now).workers.isEmpty }

    @Test func `a heartbeat is sent after an interval of silence and not before`() {
        scene.join("worker", heartbeat: interval)
        _ = scene.heard(by: "worker")
        scene.advance(by: .milliseconds(499))
        #expect(scene.heard(by: "worker").isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [])])
        scene.advance(by: interval)
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [])])
    }

    @Test func `a request replaces the heartbeat`() {
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

    @Test func `a request redelivered in the same tick replaces the heartbeat`() {
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
    func `three intervals of silence end a registration`(_ isOurs: Bool, _ milliseconds: Int) {
        if isOurs { scene.join("worker", heartbeat: interval) } else { scene.joinPlainly("worker") }
        scene.advance(by: .milliseconds(milliseconds - 1))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    @Test func `a silent plain worker keeps its request while no other worker is free`() {
        scene.joinPlainly("busy")
        scene.ask(within: .seconds(30))
        let ticket = scene.dispatches(to: "busy")[0].ticket
        scene.advance(by: .seconds(10))
        #expect(isRegistered)
        #expect(scene.broker.nextDeadline.map { $0 > scene.now } == true, "nothing is due before a change")
        scene.say(.final(ticket: ticket, body: [Frame(text: "done")]), as: "busy")
        #expect(scene.answers().map(\.content) == [[Frame(text: "done")]])
        scene.advance(by: .milliseconds(7499))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    @Test func `another worker that becomes free takes over from one of the silent plain workers`() {
        for worker in ["one", "two"] { scene.joinPlainly(worker) }
        for call in 1...2 { scene.ask(call: UInt64(call), within: .seconds(30)) }
        scene.advance(by: .seconds(10))
        scene.joinPlainly("heir")
        scene.advance(by: .milliseconds(1))
        #expect(scene.dispatches(to: "heir").count == 1)
        let left = scene.broker.report(at: scene.now).workers.map(\.instance)
        #expect(left.count == 2, "the other one keeps its request: \(left)")
    }

    @Test func `a silent plain worker keeps a request that no other one may get`() {
        for worker in ["busy", "idle"] { scene.joinPlainly(worker) }
        scene.ask(isIdempotent: false, within: .seconds(30))
        let busy = scene.dispatches(to: "busy").isEmpty ? "idle" : "busy"
        scene.say(.heartbeat(extra: []), as: busy == "idle" ? "busy" : "idle")
        scene.advance(by: .seconds(7))
        scene.say(.heartbeat(extra: []), as: busy == "idle" ? "busy" : "idle")
        scene.advance(by: .seconds(5))
        #expect(scene.broker.report(at: scene.now).workers.count == 2)
        #expect(scene.answers().isEmpty)
    }

    @Test func `a request that has ended keeps no silent worker`() {
        scene.joinPlainly("busy")
        scene.ask(within: .seconds(9))
        scene.advance(by: .milliseconds(8999))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    @Test func `the connection of a silent worker ends when another one may need its identity`() {
        for worker in ["made by libzmq", "own identity"] { scene.joinPlainly(worker) }
        scene.advance(by: .seconds(8))
        #expect(scene.ended == [Frame(text: "own identity")])
    }

    @Test func `a connection that the broker itself has ended is no crash`() {
        scene.join("own worker", heartbeat: interval, process: 4)
        scene.ask()
        scene.advance(by: .seconds(2))
        #expect(scene.ended == [Frame(text: "own worker")])
        scene.disconnect("own worker")
        #expect(!scene.notes.contains { if case .suspected = $0 { true } else { false } })
    }

    @Test(arguments: [
        WorkerMessage.heartbeat(extra: []), .final(ticket: [1], body: []), .partial(ticket: [1], body: []),
    ])
    func `any message counts as a heartbeat`(_ message: WorkerMessage) {
        scene.join("worker", heartbeat: interval)
        scene.advance(by: .milliseconds(1400))
        scene.say(message, as: "worker")
        scene.advance(by: .milliseconds(1499))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    @Test func `a silent worker gets no message after its removal`() {
        scene.join("worker", heartbeat: interval)
        scene.advance(by: .milliseconds(1499))
        _ = scene.taken(by: "worker")
        scene.advance(by: .seconds(2))
        #expect(scene.taken(by: "worker").isEmpty)
    }

    @Test func `a removed silent worker is reported until its connection ends or its instance returns`() {
        for worker in ["ends", "returns", "stays"] { scene.join(worker, heartbeat: interval) }
        scene.advance(by: .seconds(2))
        #expect(!isRegistered)
        #expect(scene.silentWorkers == ["ends", "returns", "stays"])
        #expect(scene.broker.report(at: scene.now).silentWorkers.allSatisfy { $0.silence == .seconds(2) })
        scene.disconnect("ends")
        scene.join("again", instance: "returns", heartbeat: interval)
        #expect(scene.silentWorkers == ["stays"])
    }

    @Test func `the report of silent workers is bounded`() {
        for number in 0...64 {
            scene.join("worker \(number)", heartbeat: interval)
            scene.advance(by: .milliseconds(1500))
        }
        #expect(scene.silentWorkers.count == 64 && !scene.silentWorkers.contains("worker 0"))
    }

    @Test func `an idle broker needs no tick`() {
        #expect(scene.broker.nextDeadline == nil)
    }

    @Test func `the next tick is due when something is`() {
        scene.join("worker", heartbeat: interval)
        #expect(scene.broker.nextDeadline == interval)
        scene.ask(within: .milliseconds(300))
        #expect(scene.broker.nextDeadline == .milliseconds(300))
    }

    @Test func `a broker that was suspended gives its workers one more interval`() {
        scene.join("worker", heartbeat: interval)
        scene.advanceWithoutTick(by: .seconds(60))
        scene.advance(by: .zero)
        scene.advance(by: .milliseconds(499))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    /// The request that is read first replaces a heartbeat, so no deadline shows the suspension any more.
    @Test func `a message before the tick hides no suspension`() {
        scene.join("worker", heartbeat: interval)
        scene.advanceWithoutTick(by: .milliseconds(1500))
        scene.ask()
        scene.advance(by: .zero)
        #expect(isRegistered)
    }

    @Test func `a suspension does not shorten the time of a worker that has just sent a message`() {
        scene.join("worker", heartbeat: interval)
        scene.advanceWithoutTick(by: .seconds(60))
        scene.say(.heartbeat(extra: []), as: "worker")
        scene.advance(by: .zero)
        scene.advance(by: interval * 3 - .milliseconds(1))
        #expect(isRegistered)
        scene.advance(by: .milliseconds(1))
        #expect(!isRegistered)
    }

    /// The last tick expected the next one for this worker.
    @Test func `a removed worker causes no suspension`() {
        scene.joinPlainly("silent")
        scene.advance(by: .seconds(5))
        scene.join("gone", heartbeat: interval)
        scene.advance(by: interval)
        scene.fail(toReach: "gone")
        scene.advance(by: .seconds(2))
        #expect(!isRegistered)
    }

    @Test func `a slightly late tick is no suspension`() {
        scene.join("worker", heartbeat: interval)
        scene.advance(by: .milliseconds(1499))
        scene.advanceWithoutTick(by: .milliseconds(251))
        scene.advance(by: .zero)
        #expect(!isRegistered)
    }
}
