import BrokerMachine
import Majordomo
import MessageBus
import Testing

/// The rules for waiting requests hold for a suspect too.
@Suite struct SuspectTests {
    let scene: BrokerScene

    init() { scene = Self.scene(MajordomoTiming()) }

    /// The request of the client, call 1, has been in flight at two crashes, and waits.
    private static func scene(_ timing: MajordomoTiming) -> BrokerScene {
        let scene = BrokerScene(timing: timing)
        scene.ask(call: 1, within: .seconds(5), content: [Frame(text: "poison")])
        for number in 1...2 as ClosedRange<UInt64> {
            scene.join("worker \(number)", process: number)
            scene.disconnect("worker \(number)")
        }
        return scene
    }

    /// A worker of capacity 2 with one request of another client, which is reserved for the suspect.
    private func reserveWorker() {
        scene.ask(call: 10, by: "other")
        scene.join("kept", capacity: 2)
        scene.ask(call: 11, by: "other")
        #expect(scene.dispatches(to: "kept").map(\.call) == [10])
    }

    @Test func `the deadline of a suspect frees its worker`() {
        reserveWorker()
        scene.advance(by: .seconds(5))
        #expect(scene.answers().map(\.refusal) == [.expired])
        #expect(scene.dispatches(to: "kept").map(\.call) == [11])
    }

    @Test func `the deadline of a suspect frees its worker even before the tick`() throws {
        scene.ask(call: 10, by: "other")
        scene.join("kept")
        let busy = try #require(scene.dispatches(to: "kept").first)
        scene.ask(call: 11, by: "other")
        scene.advanceWithoutTick(by: .seconds(5))
        scene.finish(busy, as: "kept")
        #expect(scene.answers().map(\.refusal) == [.expired])
        #expect(scene.dispatches(to: "kept").map(\.call) == [11])
    }

    @Test func `the end of a suspect's client frees its worker`() {
        reserveWorker()
        scene.disconnect("client")
        #expect(scene.dispatches(to: "kept").map(\.call) == [11])
    }

    @Test func `a suspect can be cancelled`() {
        reserveWorker()
        let id = ControlFrame(id: RequestID(query: 1, call: 1)).encoded()[8..<24]
        scene.askPlainly("mmi.cancel", body: [Frame(id)])
        #expect(scene.answers().map(\.content) == [[Frame(text: "200")]])
        #expect(scene.dispatches(to: "kept").map(\.call) == [11])
    }

    @Test func `another worker replaces a draining one`() throws {
        reserveWorker()
        scene.join("next", capacity: 2)
        #expect(scene.dispatches(to: "next").map(\.call) == [11])
        scene.say(.heartbeat(extra: [Frame(text: "drain")]), as: "kept")
        scene.ask(call: 12, by: "other")
        #expect(scene.dispatches(to: "next").isEmpty)
        #expect(scene.broker.report(at: scene.now).queued == 2)
    }

    @Test func `another worker replaces a lost one`() {
        reserveWorker()
        scene.say(.disconnect(extra: []), as: "kept")
        scene.join("next", capacity: 1)
        #expect(scene.dispatches(to: "next").map(\.call) == [10])
        scene.join("idle")
        #expect(scene.dispatches(to: "idle").map(\.call) == [11], "the queue is dispatched first")
        scene.join("last")
        #expect(scene.dispatches(to: "last").map(\.call) == [1])
    }

    @Test func `without a worker a suspect ends after the grace period`() {
        scene.advance(by: .milliseconds(1500))
        #expect(scene.answers().map(\.refusal) == [.unavailable])
        #expect(scene.broker.report(at: scene.now).services.isEmpty)
    }

    @Test func `the loss of a suspect's worker without a crash proves nothing`() {
        scene.join("leaving")
        #expect(scene.dispatches(to: "leaving").map(\.call) == [1])
        scene.say(.disconnect(extra: []), as: "leaving")
        #expect(scene.answers().map(\.refusal) == [.workerLost], "this was its third attempt")
        scene.join("next")
        scene.ask(call: 2, content: [Frame(text: "poison")])
        #expect(scene.dispatches(to: "next").map(\.call) == [2])
    }

    @Test func `a suspect past its deadline still has its worker alone`() throws {
        scene.join("slow", capacity: 4)
        let late = try #require(scene.dispatches(to: "slow").first)
        scene.advance(by: .seconds(5))
        #expect(scene.answers().map(\.refusal) == [.expired])
        scene.ask(call: 2, content: [Frame(text: "poison")])
        scene.ask(call: 3)
        #expect(scene.dispatches(to: "slow").isEmpty)
        scene.finish(late, as: "slow")
        #expect(scene.dispatches(to: "slow").map(\.call) == [3, 2].reversed(), "the late answer has cleared both")
    }

    @Test func `a process that registers again removes the suspicion`() {
        scene.join("again", instance: "worker 2", capacity: 2, process: 2)
        scene.ask(call: 2)
        #expect(scene.dispatches(to: "again").map(\.call) == [1, 2])
    }

    @Test func `the bounds of the queue include suspects`() {
        var timing = MajordomoTiming()
        timing.queueEntries = 2
        timing.clientEntries = 2
        let scene = Self.scene(timing)
        scene.ask(call: 2)
        scene.ask(call: 3)
        scene.ask(call: 4, by: "other")
        #expect(scene.answers().map(\.call) == [3])
        #expect(scene.answers(to: "other").map(\.refusal) == [.overloaded])
        #expect(scene.broker.report(at: scene.now).queued == 2)
    }
}
