import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct DispatchTests {
    let scene = BrokerScene()

    @Test func `the least recently used worker with room gets the request`() throws {
        scene.join("first")
        scene.join("second")
        for (call, worker) in [(1, "first"), (2, "second")] as [(UInt64, String)] {
            scene.ask(call: call)
            scene.finish(try #require(scene.dispatches(to: worker).first), as: worker)
        }
        scene.join("third")
        scene.ask(call: 3)
        scene.ask(call: 4)
        scene.ask(call: 5)
        #expect(scene.dispatches(to: "first").map(\.call) == [3])
        #expect(scene.dispatches(to: "second").map(\.call) == [4])
        #expect(scene.dispatches(to: "third").map(\.call) == [5])
    }

    @Test(arguments: [1, 3])
    func `a worker holds as many requests as its capacity and no more`(_ capacity: Int) throws {
        scene.join("worker", capacity: capacity)
        for call in 1...UInt64(capacity) + 2 { scene.ask(call: call) }
        let first = scene.dispatches(to: "worker")
        #expect(first.count == capacity)
        scene.finish(try #require(first.first), as: "worker")
        #expect(scene.dispatches(to: "worker").map(\.call) == [UInt64(capacity) + 1])
    }

    @Test func `a plain worker holds one request`() {
        scene.joinPlainly("worker")
        scene.ask(call: 1)
        scene.ask(call: 2)
        #expect(scene.dispatches(to: "worker").map(\.call) == [1])
    }

    @Test func `a flooding client delays only itself`() throws {
        scene.join("worker")
        scene.ask(call: 100, by: "other")
        for call in 1...4 as ClosedRange<UInt64> { scene.ask(call: call, by: "flood") }
        for call in 11...12 as ClosedRange<UInt64> { scene.ask(call: call, by: "modest") }
        var order: [UInt64?] = []
        while let next = scene.dispatches(to: "worker").first {
            order.append(next.call)
            scene.finish(next, as: "worker")
        }
        #expect(order == [100, 1, 11, 2, 12, 3, 4])
    }

    @Test func `a request without any worker is refused after the grace period and not before`() {
        scene.ask()
        scene.advance(by: .milliseconds(1499))
        #expect(scene.answers().isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.answers().map(\.refusal) == [.unavailable])
        scene.join("late")
        #expect(scene.dispatches(to: "late").isEmpty)
    }

    @Test func `a worker that registers within the grace period gets the request`() {
        scene.ask()
        scene.advance(by: .milliseconds(1499))
        scene.join("late")
        #expect(scene.dispatches(to: "late").count == 1)
    }

    @Test func `the grace period begins when the last worker leaves`() {
        scene.join("worker")
        scene.ask(call: 1)
        scene.ask(call: 2)
        scene.advance(by: .seconds(10))
        scene.say(.disconnect(extra: []), as: "worker")
        scene.advance(by: .milliseconds(1499))
        #expect(scene.answers().isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.answers().map(\.refusal) == [.unavailable, .unavailable])
    }

    @Test func `a request behind a busy worker waits longer than the grace period`() {
        scene.join("worker")
        scene.ask(call: 1)
        scene.ask(call: 2)
        scene.advance(by: .seconds(30))
        #expect(scene.answers().isEmpty)
    }

    @Test func `an expired request is refused and never dispatched`() throws {
        scene.join("worker")
        scene.ask(call: 1)
        let busy = try #require(scene.dispatches(to: "worker").first)
        scene.ask(call: 2, within: .seconds(2))
        scene.advance(by: .milliseconds(1999))
        #expect(scene.answers().isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.answers().map(\.refusal) == [.expired])
        scene.finish(busy, as: "worker")
        #expect(scene.dispatches(to: "worker").isEmpty)
    }

    @Test func `an expired request is not dispatched, even before the tick`() throws {
        scene.join("worker")
        scene.ask(call: 1)
        let busy = try #require(scene.dispatches(to: "worker").first)
        scene.ask(call: 2, by: "impatient", within: .seconds(2))
        scene.ask(call: 3)
        scene.advanceWithoutTick(by: .seconds(2))
        scene.finish(busy, as: "worker")
        #expect(scene.answers(to: "impatient").map(\.refusal) == [.expired])
        #expect(scene.dispatches(to: "worker").map(\.call) == [3])
    }

    @Test func `a request without time left is refused even if a worker is free`() {
        scene.join("worker")
        scene.ask(within: .zero)
        #expect(scene.answers().map(\.refusal) == [.expired])
        #expect(scene.dispatches(to: "worker").isEmpty)
    }

    @Test func `a dispatched request also ends at its deadline`() {
        scene.join("worker")
        scene.ask(within: .seconds(2))
        scene.advance(by: .seconds(2))
        #expect(scene.answers().map(\.refusal) == [.expired])
    }

    @Test func `a worker is busy until it answers, even if the request has expired`() throws {
        scene.join("worker")
        scene.ask(call: 1, within: .seconds(1))
        let late = try #require(scene.dispatches(to: "worker").first)
        scene.advance(by: .seconds(1))
        scene.ask(call: 2)
        #expect(scene.dispatches(to: "worker").isEmpty)
        scene.finish(late, as: "worker")
        #expect(scene.dispatches(to: "worker").map(\.call) == [2])
        #expect(scene.answers().map(\.refusal) == [.expired])
    }

    @Test(arguments: [(4, 2), (4, 0), (7, 1)] as [(Int, UInt8)])
    func `a control frame of another version is refused with its own id`(_ index: Int, _ byte: UInt8) throws {
        scene.join("worker")
        var control = ControlFrame(id: RequestID(query: 1, call: 7), remainingMilliseconds: 1000).encoded()
        control[index] = byte
        for tail in [[], [0, 1, 2]] as [Frame] {
            scene.askPlainly(body: [control + tail])
            let answer = try #require(scene.answers().first)
            #expect(answer.refusal == .malformed)
            #expect(answer.control?.id == RequestID(query: 1, call: 7))
        }
        #expect(scene.dispatches(to: "worker").isEmpty)
        #expect(scene.count(of: .malformed) == 2)
    }

    @Test func `an unreadable control frame is refused`() {
        scene.join("worker")
        scene.askPlainly(body: [Frame(text: "KBOX and then nonsense")])
        #expect(scene.answers().map(\.refusal) == [.malformed])
        #expect(scene.dispatches(to: "worker").isEmpty)
    }
}
