import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct QueueBoundTests {
    private static func scene(_ change: (inout MajordomoTiming) -> Void) -> BrokerScene {
        var timing = MajordomoTiming()
        change(&timing)
        return BrokerScene(timing: timing)
    }

    @Test func `a client may queue its share and no more`() {
        let scene = Self.scene { $0.clientEntries = 2 }
        for call in 1...3 as ClosedRange<UInt64> { scene.ask(call: call, by: "greedy") }
        scene.ask(call: 4, by: "other")
        #expect(scene.answers(to: "greedy").map(\.call) == [3])
        #expect(scene.answers(to: "other").isEmpty)
    }

    @Test func `a service queues its entries and no more`() {
        let scene = Self.scene { $0.queueEntries = 3 }
        for call in 1...4 as ClosedRange<UInt64> { scene.ask(call: call, by: "client \(call)") }
        scene.ask("another", call: 5, by: "client 5")
        #expect((1...3).allSatisfy { scene.answers(to: "client \($0)").isEmpty })
        #expect(scene.answers(to: "client 4").map(\.refusal) == [.overloaded])
        #expect(scene.answers(to: "client 5").isEmpty, "each service has a queue of its own")
    }

    @Test func `a service queues its bytes and no more`() {
        let scene = Self.scene { $0.queueBytes = 300 }
        let content = [Frame(repeating: 7, count: 100)]
        for call in 1...3 as ClosedRange<UInt64> { scene.ask(call: call, content: content) }
        #expect(scene.answers().map(\.call) == [3])
        scene.ask(call: 4, content: [])
        #expect(scene.answers().isEmpty, "what is small still fits")
    }

    @Test func `a dispatched request takes no place in the queue`() {
        let scene = Self.scene {
            $0.clientEntries = 1
            $0.queueEntries = 1
            $0.queueBytes = 100
        }
        scene.join("worker", capacity: 2)
        for call in 1...4 as ClosedRange<UInt64> { scene.ask(call: call, content: [Frame(repeating: 7, count: 50)]) }
        #expect(scene.dispatches(to: "worker").count == 2)
        #expect(scene.answers().map(\.call) == [4])
    }

    /// Every way out of the queue frees the place.
    @Test(arguments: ["dispatched", "expired", "cancelled", "unavailable"])
    func `a place in the queue is free after its request has left`(_ way: String) {
        let scene = Self.scene {
            $0.clientEntries = 1
            $0.queueEntries = 1
            $0.queueBytes = 100
        }
        let content = [Frame(repeating: 7, count: 60)]
        scene.ask(call: 1, within: way == "expired" ? .seconds(1) : .seconds(60), content: content)
        switch way {
        case "dispatched": scene.join("worker")
        case "expired": scene.advance(by: .seconds(1))
        case "cancelled":
            let id = ControlFrame(id: RequestID(query: 1, call: 1)).encoded()[8..<24]
            scene.askPlainly("mmi.cancel", body: [Array(id)])
        default: scene.advance(by: .seconds(2))
        }
        _ = scene.answers()
        scene.ask(call: 2, content: content)
        #expect(scene.answers().isEmpty)
        scene.ask(call: 3, content: content)
        #expect(scene.answers().map(\.refusal) == [.overloaded], "and only that one place")
    }

    @Test func `the default bounds and times have the documented values`() {
        let timing = MajordomoTiming()
        #expect(timing.queueEntries == 1000)
        #expect(timing.clientEntries == 128)
        #expect(timing.queueBytes == 16 << 20)
        #expect(timing.heartbeatInterval == .milliseconds(500))
        #expect(timing.plainHeartbeatInterval == .milliseconds(2500))
        #expect(timing.noWorkerGrace == .milliseconds(1500))
        #expect(timing.maxAttempts == 3)
    }

    @Test func `a client cannot fill the ledger with invented service names`() {
        let scene = Self.scene {
            $0.ledgerEntries = 50
            $0.clientLedgerEntries = 20
        }
        for number in 1...100 { scene.askPlainly("name \(number)", by: "greedy") }
        #expect(scene.broker.counters.refused == [.overloaded: 80])
        scene.join("worker")
        scene.ask(by: "polite")
        #expect(scene.dispatches(to: "worker").count == 1)
        scene.advance(by: .seconds(15))
        scene.askPlainly("another name", by: "greedy")
        #expect(scene.broker.counters.refused[.overloaded] == 80, "ended requests free their room")
    }

    @Test func `a client cannot fill the ledger with its bytes`() {
        let scene = Self.scene {
            $0.ledgerBytes = 1000
            $0.clientLedgerBytes = 500
        }
        let body = [Frame(repeating: 7, count: 200)]
        for number in 1...3 { scene.askPlainly("name \(number)", by: "greedy", body: body) }
        scene.askPlainly("name", by: "polite", body: body)
        #expect(scene.broker.counters.refused == [.overloaded: 1])
        scene.askPlainly("name", by: "huge", body: [Frame(repeating: 7, count: 501)])
        #expect(scene.broker.counters.refused == [.overloaded: 2], "not even its first request passes the bound")
    }
}
