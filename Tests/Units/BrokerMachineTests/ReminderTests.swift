import HeapModule
import MessageBus
import Testing

@testable import BrokerMachine
@testable import Majordomo

/// Workers that register and leave must not accumulate reminders of waiting entries.
@Suite struct ReminderTests {
    @Test func `repeated registrations leave no reminders behind`() {
        let scene = BrokerScene()
        scene.join("busy")
        for call in 1...100 as ClosedRange<UInt64> { scene.ask(call: call) }
        // Each guest takes one entry, which is redelivered; an entry ends after three attempts.
        for _ in 1...150 {
            scene.join("guest")
            scene.say(.disconnect(extra: []), as: "guest")
        }
        let entries = scene.broker.entries
        #expect(entries.count >= 50)
        let reminders = scene.broker.timers.unordered.count { entries[$0.entry] != nil }
        #expect(reminders <= 3 * entries.count)
    }

    @Test func `the end of the grace period applies even if the deadline was set before`() {
        let scene = BrokerScene()
        scene.join("worker")
        for call in 1...2 as ClosedRange<UInt64> { scene.ask(call: call) }
        scene.say(.disconnect(extra: []), as: "worker")
        scene.advance(by: .milliseconds(1499))
        #expect(scene.answers().isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.answers().map(\.refusal) == [.unavailable, .unavailable])
    }

    @Test func `the deadline applies after a grace period that ended early`() {
        let scene = BrokerScene()
        scene.ask(within: .seconds(10))
        scene.advance(by: .seconds(1))
        scene.join("worker", heartbeat: .seconds(60))
        scene.advance(by: .milliseconds(8999))
        #expect(scene.answers().isEmpty)
        scene.advance(by: .milliseconds(1))
        #expect(scene.answers().map(\.refusal) == [.expired])
    }
}
