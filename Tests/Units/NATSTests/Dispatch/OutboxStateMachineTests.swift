import Testing

@testable import NATS

@Suite struct OutboxStateMachineTests {
    /// A machine at a time.
    private struct Scene {
        var machine = OutboxStateMachine()
        let timing = OutboxTiming()
        var now = Duration.seconds(5)
        var dropped = 0

        private var lastID: UInt64 = 0

        /// - Returns: the ids of the batch.
        mutating func begin(_ subjects: String...) -> [UInt64] {
            let batch = subjects.map { subject in
                lastID += 1
                return OutboxStateMachine.Entry(id: lastID, subject: subject, json: Array(subject.utf8))
            }
            machine.begin(batch, at: now)
            return batch.map(\.id)
        }

        mutating func receive(_ receipt: OutboxStateMachine.Receipt, of id: UInt64) {
            dropped += machine.receive(receipt, of: id, at: now)
        }

        /// - Returns: the ids that are sent again after a time.
        mutating func wait(_ time: Duration) -> [UInt64] {
            now += time
            let (again, dropped) = machine.repeatEntries(at: now)
            self.dropped += dropped
            return again.map(\.id)
        }

        var waiting: [UInt64] { machine.entries.map(\.id) }
    }

    @Test func `receipts in any order complete a batch`() {
        var scene = Scene()
        let ids = scene.begin("a", "b", "c")
        #expect(scene.waiting == ids && scene.machine.deadline != nil)
        for id in [ids[1], ids[0], ids[2]] { scene.receive(.stored, of: id) }
        #expect(scene.machine.isEmpty && scene.machine.deadline == nil && scene.dropped == 0)
    }

    @Test func `an event without a receipt is sent again under its id, and a stored one is not`() {
        var scene = Scene()
        let ids = scene.begin("a", "b", "c")
        scene.receive(.stored, of: ids[1])
        #expect(scene.wait(scene.timing.silence - .milliseconds(1)) == [])
        #expect(scene.wait(.milliseconds(1)) == [ids[0], ids[2]])
        // And again after the same silence.
        #expect(scene.wait(.milliseconds(1)) == [])
        #expect(scene.wait(scene.timing.silence) == [ids[0], ids[2]])
    }

    @Test func `a second receipt, and one of an earlier event, change nothing`() {
        var scene = Scene()
        let first = scene.begin("a")
        scene.receive(.stored, of: first[0])
        let second = scene.begin("b")
        for receipt in OutboxStateMachine.Receipt.allCases {
            scene.receive(receipt, of: first[0])
            scene.receive(receipt, of: .max)
        }
        #expect(scene.waiting == second && scene.dropped == 0)
        #expect(scene.machine.deadline == scene.now + scene.timing.silence)
    }

    @Test func `a refused event is lost alone`() {
        var scene = Scene()
        let ids = scene.begin("a", "b")
        scene.receive(.refused, of: ids[0])
        #expect(scene.waiting == [ids[1]] && scene.dropped == 1)
    }

    @Test(arguments: [true, false])
    func `what the servers cannot store now is sent again after a pause`(isReceipt: Bool) {
        var scene = Scene()
        let ids = scene.begin("a", "b")
        if isReceipt { scene.receive(.unavailable, of: ids[0]) } else { scene.machine.delay(at: scene.now) }
        #expect(scene.wait(scene.timing.pause - .milliseconds(1)) == [])
        // A further refusal does not move the time.
        scene.machine.delay(at: scene.now)
        #expect(scene.wait(.milliseconds(1)) == ids)
        // Each further pause is longer, up to the silence.
        var pause = scene.timing.pause
        for _ in 1...10 {
            pause = min(pause * 2, scene.timing.silence)
            scene.machine.delay(at: scene.now)
            #expect(scene.wait(pause - .milliseconds(1)) == [])
            #expect(scene.wait(.milliseconds(1)) == ids)
        }
    }

    @Test func `an attempt that stays underway is lost in the end`() {
        var scene = Scene()
        let ids = scene.begin("a", "b")
        scene.receive(.underway, of: ids[0])
        #expect(scene.wait(scene.timing.pause) == ids)
        _ = scene.wait(scene.timing.underwayLimit - scene.timing.pause)
        scene.receive(.underway, of: ids[0])
        #expect(scene.waiting == [ids[1]] && scene.dropped == 1)
    }

    @Test func `a denial ends the events of its subject`() {
        var scene = Scene()
        let ids = scene.begin("a", "b", "a")
        #expect(scene.machine.deny("c") == 0 && scene.machine.deny("a") == 2 && scene.machine.deny("a") == 0)
        #expect(scene.waiting == [ids[1]])
        #expect(scene.machine.deny("b") == 1 && scene.machine.deadline == nil)
    }

    @Test func `a new connection repeats at once`() {
        var scene = Scene()
        scene.machine.reconnect(at: scene.now)
        #expect(scene.machine.deadline == nil)
        let ids = scene.begin("a")
        scene.machine.reconnect(at: scene.now)
        #expect(scene.wait(.zero) == ids)
    }

    @Test func `an event whose id may be forgotten is not sent again, but counted`() {
        var scene = Scene()
        let ids = scene.begin("a", "b")
        scene.receive(.stored, of: ids[0])
        #expect(scene.wait(scene.timing.lifetime - .milliseconds(1)) == [ids[1]])
        #expect(scene.wait(scene.timing.silence) == [] && scene.dropped == 1 && scene.machine.isEmpty)
    }

    @Test func `giving up counts what has no receipt`() {
        var scene = Scene()
        let ids = scene.begin("a", "b", "c")
        scene.receive(.stored, of: ids[2])
        #expect(scene.machine.removeAll() == 2 && scene.machine.isEmpty && scene.machine.deadline == nil)
    }
}
