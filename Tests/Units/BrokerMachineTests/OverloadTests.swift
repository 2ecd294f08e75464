import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct OverloadTests {
    /// A worker of capacity 1 that took 100 ms for each of its answers, and now has one request in flight.
    private static func busyScene(_ change: (inout MajordomoTiming) -> Void = { _ in }) -> BrokerScene {
        var timing = MajordomoTiming()
        change(&timing)
        let scene = BrokerScene(timing: timing)
        scene.join("worker")
        for call in 1...4 as ClosedRange<UInt64> {
            scene.ask(call: call)
            let dispatch = scene.dispatches(to: "worker")[0]
            scene.advance(by: .milliseconds(100))
            scene.finish(dispatch, as: "worker")
        }
        scene.ask(call: 5)
        _ = scene.answers()
        return scene
    }

    @Test(arguments: [(99, true), (100, false)])
    func `a request whose expected wait exceeds its deadline is refused at once`(
        _ milliseconds: Int, _ isRefused: Bool
    ) {
        let scene = Self.busyScene()
        scene.ask(call: 10, within: .milliseconds(milliseconds))
        #expect(scene.answers().map(\.refusal) == (isRefused ? [.overloaded] : []))
    }

    @Test func `the expected wait counts the requests ahead`() {
        let scene = Self.busyScene()
        for call in 10...12 as ClosedRange<UInt64> { scene.ask(call: call) }
        scene.ask(call: 20, within: .milliseconds(399))
        scene.ask(call: 21, within: .milliseconds(400))
        #expect(scene.answers().map(\.call) == [20])
    }

    /// The fair queue alternates between the two clients, so the wait of the well-behaved one is short.
    @Test func `a well-behaved client is not refused because of another client's flood`() {
        let scene = Self.busyScene()
        for call in 10...59 as ClosedRange<UInt64> { scene.ask(call: call, by: "flood") }
        scene.ask(call: 60, by: "flood", within: .seconds(1))
        scene.ask(call: 1, by: "polite", within: .milliseconds(200))
        #expect(scene.answers(to: "flood").map(\.refusal) == [.overloaded])
        #expect(scene.answers(to: "polite").isEmpty)
    }

    @Test func `a well-behaved client waits at most one round of the active clients`() {
        let scene = BrokerScene()
        scene.join("worker")
        scene.ask(call: 1, by: "first")
        for flood in ["a", "b", "c"] {
            for call in 100...199 as ClosedRange<UInt64> { scene.ask(call: call, by: flood) }
        }
        scene.ask(call: 7, by: "polite")
        var rounds = 0
        while scene.answers(to: "polite").isEmpty, rounds < 20 {
            rounds += 1
            for dispatch in scene.dispatches(to: "worker") { scene.finish(dispatch, as: "worker") }
        }
        #expect(rounds <= 5, "its own, one of each flooding client, and the one in flight")
    }

    @Test func `more capacity shortens the expected wait`() {
        let scene = Self.busyScene()
        scene.join("second", capacity: 9)
        for call in 10...18 as ClosedRange<UInt64> { scene.ask(call: call) }
        scene.ask(call: 20, within: .milliseconds(10))
        #expect(scene.answers().isEmpty)
    }

    @Test func `the whole ledger is bounded, independent of service names`() {
        let scene = Self.busyScene { $0.ledgerEntries = 4 }
        for call in 10...15 as ClosedRange<UInt64> { scene.ask("service \(call)", call: call, by: "client \(call)") }
        let refused = (10...15).filter { !scene.answers(to: "client \($0)").isEmpty }
        #expect(refused == [13, 14, 15])
    }

    @Test func `the bytes of the whole ledger are bounded`() {
        let scene = BrokerScene(timing: MajordomoTiming().changed { $0.ledgerBytes = 300 })
        let content = [Frame(repeating: 7, count: 100)]
        for call in 1...3 as ClosedRange<UInt64> { scene.ask("service \(call)", call: call, content: content) }
        #expect(scene.answers().map(\.call) == [3])
    }
}

extension MajordomoTiming {
    func changed(_ change: (inout MajordomoTiming) -> Void) -> MajordomoTiming {
        var timing = self
        change(&timing)
        return timing
    }
}
