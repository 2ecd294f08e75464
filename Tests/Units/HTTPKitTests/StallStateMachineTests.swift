import Testing

@testable import HTTPKit

@Suite struct StallStateMachineTests {
    private let start = ContinuousClock.now

    @Test func `bytes that wait are a stall, from the last moment at which some were taken`() {
        var machine = StallStateMachine()
        machine.send(100)
        machine.observe(waiting: 0, at: start)
        #expect(machine.stalledSince == nil, "the kernel has taken them")
        machine.send(1000)
        machine.observe(waiting: 400, at: start + .seconds(1))
        machine.observe(waiting: 400, at: start + .seconds(2))
        #expect(machine.stalledSince == start + .seconds(1))
        machine.observe(waiting: 399, at: start + .seconds(3))
        #expect(machine.stalledSince == start + .seconds(3))
    }

    @Test func `more bytes to send are no sign of a client that reads, and hide none`() {
        var machine = StallStateMachine()
        machine.send(1000)
        machine.observe(waiting: 500, at: start)
        machine.send(300)
        machine.observe(waiting: 800, at: start + .seconds(4))
        #expect(machine.stalledSince == start)
        machine.send(200)
        machine.observe(waiting: 800, at: start + .seconds(5))
        #expect(machine.stalledSince == start + .seconds(5), "200 were taken, and 200 came")
        machine.observe(waiting: 0, at: start + .seconds(6))
        #expect(machine.stalledSince == nil)
    }
}
