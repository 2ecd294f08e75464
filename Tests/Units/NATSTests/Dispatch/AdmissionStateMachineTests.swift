import Majordomo
import MessageBus
import Testing

@testable import NATS

@Suite struct AdmissionStateMachineTests {
    private typealias Machine = AdmissionStateMachine

    private static func request(_ call: UInt64, reply: String? = nil) -> Machine.Request {
        Machine.Request(id: RequestID(query: 7, call: call), reply: reply ?? "r\(call)")
    }

    /// A machine at a time, which records what it does.
    private struct Scene {
        var machine: Machine
        var now = Duration.zero
        var actions: [Machine.Action] = []

        init(capacity: Int = 2, maxQueued: Int = 2) {
            var timing = AdmissionTiming()
            timing.maxQueued = maxQueued
            machine = Machine(capacity: capacity, timing: timing)
        }

        mutating func receive(_ call: UInt64, reply: String? = nil, within time: Duration = .seconds(20)) {
            machine.received(
                AdmissionStateMachineTests.request(call, reply: reply), deadline: now + time, at: now, &actions
            )
        }

        mutating func finish(_ call: UInt64) {
            machine.finished(AdmissionStateMachineTests.request(call), at: now, &actions)
        }
        mutating func giveBack(_ call: UInt64) {
            machine.returned(AdmissionStateMachineTests.request(call), at: now, &actions)
        }
        mutating func cancel(_ call: UInt64) {
            machine.cancelled(AdmissionStateMachineTests.request(call), at: now, &actions)
        }
        mutating func drain() { machine.drain(at: now, &actions) }
        mutating func leave() { machine.left(&actions) }

        /// Passes time, with a tick whenever the machine has asked for one.
        mutating func pass(_ time: Duration) {
            let end = now + time
            while let next = machine.nextDeadline, next <= end {
                now = max(now, next)
                machine.ticked(at: now, &actions)
            }
            now = end
        }

        mutating func take() -> [Machine.Action] {
            defer { actions = [] }
            return actions
        }
    }

    @Test func `a request that is answered at once needs no sign of work`() {
        var scene = Scene()
        scene.receive(1)
        scene.pass(.milliseconds(99))
        scene.finish(1)
        scene.pass(.seconds(9))
        #expect(scene.take() == [.start(Self.request(1)), .answer(Self.request(1))])
        #expect(scene.machine.nextDeadline == nil)
    }

    @Test func `a longer one has a sign after 100 ms and then every 500 ms, also while it waits`() {
        var scene = Scene(capacity: 1)
        scene.receive(1)
        scene.receive(2)
        scene.pass(.milliseconds(1100))
        let signs = scene.take().filter { if case .sign = $0 { true } else { false } }
        let rounds = Array(
            repeating: [Machine.Action.sign(Self.request(1)), .sign(Self.request(2))], count: 3)
        #expect(signs == rounds.flatMap(\.self))
    }

    @Test func `more than the capacity waits, and more than the queue is refused`() {
        var scene = Scene()
        for call in 1...5 { scene.receive(UInt64(call)) }
        #expect(
            scene.take() == [.start(Self.request(1)), .start(Self.request(2)), .refuse(Self.request(5), .overloaded)])
        scene.finish(2)
        #expect(scene.take() == [.answer(Self.request(2)), .start(Self.request(3))])
        scene.finish(4)
        #expect(scene.take().isEmpty, "it has not started")
    }

    @Test func `a repetition does not start again`() {
        var scene = Scene()
        scene.receive(1)
        scene.receive(1)
        scene.finish(1)
        #expect(scene.take() == [.start(Self.request(1)), .sign(Self.request(1)), .answer(Self.request(1))])
    }

    @Test func `the same id with another subject for the answer is another request`() {
        var scene = Scene(capacity: 1)
        scene.receive(1)
        scene.receive(1, reply: "other")
        scene.finish(1)
        let other = Self.request(1, reply: "other")
        #expect(scene.take() == [.start(Self.request(1)), .answer(Self.request(1)), .start(other)])
    }

    @Test func `what has waited beyond its deadline is refused without a start`() {
        var scene = Scene(capacity: 1)
        scene.receive(1)
        scene.receive(2, within: .milliseconds(50))
        scene.pass(.milliseconds(60))
        #expect(scene.take() == [.start(Self.request(1)), .refuse(Self.request(2), .expired)])
        scene.receive(3, within: .zero)
        #expect(scene.take() == [.refuse(Self.request(3), .expired)])
    }

    @Test func `a request that is returned is for another instance`() {
        var scene = Scene(capacity: 1)
        scene.receive(1)
        scene.receive(2)
        scene.giveBack(1)
        #expect(
            scene.take() == [.start(Self.request(1)), .refuse(Self.request(1), .unavailable), .start(Self.request(2))])
    }

    @Test func `a cancelled request is dropped unless it runs`() {
        var scene = Scene(capacity: 1)
        scene.receive(1)
        scene.receive(2)
        scene.cancel(2)
        scene.cancel(1)
        scene.finish(1)
        #expect(scene.take() == [.start(Self.request(1)), .answer(Self.request(1))])
    }

    @Test func `a drain answers what has been taken, refuses the rest, and stops once`() {
        var scene = Scene(capacity: 1)
        scene.receive(1)
        scene.receive(2)
        scene.drain()
        scene.receive(3)
        scene.finish(1)
        scene.leave()
        scene.finish(2)
        scene.drain()
        scene.pass(.seconds(9))
        #expect(
            scene.take() == [
                .start(Self.request(1)), .leave, .refuse(Self.request(3), .unavailable), .answer(Self.request(1)),
                .start(Self.request(2)), .answer(Self.request(2)), .stopped,
            ])
    }

    @Test func `an idle instance refuses what arrives until it has left, and then stops`() {
        var scene = Scene()
        scene.drain()
        scene.receive(1)
        #expect(scene.take() == [.leave, .refuse(Self.request(1), .unavailable)])
        scene.leave()
        #expect(scene.take() == [.stopped])
    }
}
