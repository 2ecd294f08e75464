import CacheStoreMachine
import Testing

@Suite struct LeaseStateMachineTests {
    typealias Action = LeaseStateMachine.Action

    private var machine = LeaseStateMachine(configuration: LeaseConfiguration(maxParked: 3), epoch: 5)

    private func lease(_ number: UInt64) -> LeaseID { LeaseID(epoch: 5, number: number) }

    private mutating func ask(
        _ holder: String, _ waiter: UInt64, for key: String = "k", request: String? = nil, at milliseconds: Int = 0
    ) -> [Action] {
        machine.asked(
            key: key, holder: holder, request: request, waiter: WaiterID(waiter), now: .milliseconds(milliseconds))
    }

    private mutating func tick(at milliseconds: Int) -> [Action] {
        machine.ticked(now: .milliseconds(milliseconds))
    }

    @Test mutating func `the first request is granted the lease and others wait`() {
        #expect(ask("a/1", 1) == [.grant(WaiterID(1), lease(1))])
        #expect(ask("b/1", 2) == [.park(WaiterID(2))])
        #expect(ask("c/1", 3) == [.park(WaiterID(3))])
        #expect(machine.parkedCount == 2)
        #expect(machine.leaseCount == 1)
    }

    @Test mutating func `the holder is granted the same lease again`() {
        _ = ask("a/1", 1)
        #expect(ask("a/1", 2) == [.grant(WaiterID(2), lease(1))])
        #expect(machine.parkedCount == 0)
    }

    @Test mutating func `an instance that works on the holder's request takes over the lease at once`() {
        _ = ask("a/1", 1, request: "r")
        #expect(ask("b/1", 2, request: "s") == [.park(WaiterID(2))])
        #expect(ask("c/1", 3, request: "r") == [.grant(WaiterID(3), lease(2))])
        #expect(machine.renewed(key: "k", lease: lease(1), now: .zero) == [.staleLease(lease(1))])
        #expect(machine.completed(key: "k", lease: lease(2), now: .zero) == [.share(WaiterID(2))])
    }

    @Test mutating func `a failure up to a rank passes the lease to the longest waiting of a higher one`() {
        _ = machine.asked(key: "k", holder: "a/1", request: nil, rank: 1, waiter: WaiterID(1), now: .zero)
        for (holder, waiter, rank) in [("b/1", 2, 0), ("c/1", 3, 2), ("d/1", 4, 2)] as [(String, UInt64, Int)] {
            _ = machine.asked(
                key: "k", holder: holder, request: nil, rank: rank, waiter: WaiterID(waiter), now: .zero)
        }
        let actions = machine.released(key: "k", lease: lease(1), failure: [7], upTo: 1, now: .zero)
        #expect(actions == [.fail(WaiterID(2), [7]), .grant(WaiterID(3), lease(2))])
        #expect(machine.completed(key: "k", lease: lease(2), now: .zero) == [.share(WaiterID(4))])
        #expect(machine.parkedCount == 0 && machine.leaseCount == 0)
    }

    @Test mutating func `a failure up to a rank ends the lease when no higher one waits`() {
        _ = machine.asked(key: "k", holder: "a/1", request: nil, rank: 1, waiter: WaiterID(1), now: .zero)
        _ = machine.asked(key: "k", holder: "b/1", request: nil, rank: 1, waiter: WaiterID(2), now: .zero)
        #expect(
            machine.released(key: "k", lease: lease(1), failure: [7], upTo: 1, now: .zero)
                == [.fail(WaiterID(2), [7])])
        #expect(machine.leaseCount == 0)
    }

    @Test mutating func `an instance with an unknown request waits`() {
        _ = ask("a/1", 1)
        #expect(ask("b/1", 2) == [.park(WaiterID(2))])
    }

    @Test mutating func `a repeated request renews the lease`() {
        _ = ask("a/1", 1)
        _ = ask("b/1", 2)
        _ = ask("a/1", 3, at: 1_000)
        #expect(tick(at: 2_499) == [])
        #expect(tick(at: 2_500) == [.grant(WaiterID(2), lease(2))])
    }

    @Test mutating func `keys do not wait for each other`() {
        _ = ask("a/1", 1, for: "k")
        #expect(ask("b/1", 2, for: "l") == [.grant(WaiterID(2), lease(2))])
        #expect(machine.completed(key: "l", lease: lease(2), now: .zero) == [])
        #expect(machine.leaseCount == 1)
    }

    @Test mutating func `a put is shared by all waiting requests in their order`() {
        _ = ask("a/1", 1)
        for waiter in [2, 3, 4] as [UInt64] { _ = ask("b/\(waiter)", waiter) }
        #expect(
            machine.completed(key: "k", lease: lease(1), now: .zero)
                == [.share(WaiterID(2)), .share(WaiterID(3)), .share(WaiterID(4))])
        #expect(machine.parkedCount == 0)
        #expect(machine.nextDeadline == nil)
    }

    @Test mutating func `a failure is shared by the waiting requests and not by the next one`() {
        _ = ask("a/1", 1)
        _ = ask("b/1", 2)
        #expect(
            machine.released(key: "k", lease: lease(1), failure: [7, 8], now: .zero) == [.fail(WaiterID(2), [7, 8])])
        #expect(ask("c/1", 3) == [.grant(WaiterID(3), lease(2))])
    }

    @Test mutating func `a request beyond the limit of waiting requests is busy`() {
        _ = ask("a/1", 1, for: "k")
        _ = ask("b/1", 2, for: "l")
        for waiter in [3, 4] as [UInt64] { #expect(ask("c/1", waiter, for: "k") == [.park(WaiterID(waiter))]) }
        #expect(ask("c/1", 5, for: "l") == [.park(WaiterID(5))])
        #expect(ask("c/1", 6, for: "l") == [.busy(WaiterID(6))])
        // A holder and the first request for a key do not wait, so they are granted although the limit is reached.
        #expect(ask("b/1", 7, for: "l") == [.grant(WaiterID(7), lease(2))])
        #expect(ask("c/1", 8, for: "m") == [.grant(WaiterID(8), lease(3))])
        machine.abandoned(waiter: WaiterID(3))
        #expect(ask("c/1", 9, for: "l") == [.park(WaiterID(9))])
    }

    @Test mutating func `a silent holder loses the lease to the longest waiting request`() {
        _ = ask("a/1", 1)
        _ = ask("b/1", 2, at: 100)
        _ = ask("c/1", 3, at: 200)
        #expect(machine.nextDeadline == .milliseconds(1_500))
        #expect(tick(at: 1_499) == [])
        #expect(tick(at: 1_500) == [.grant(WaiterID(2), lease(2))])
        #expect(machine.nextDeadline == .milliseconds(3_000))
        #expect(machine.completed(key: "k", lease: lease(2), now: .milliseconds(1_600)) == [.share(WaiterID(3))])
    }

    @Test mutating func `a silent holder without waiting requests loses the lease`() {
        _ = ask("a/1", 1)
        #expect(tick(at: 1_500) == [])
        #expect(machine.leaseCount == 0)
        #expect(ask("b/1", 2, at: 1_500) == [.grant(WaiterID(2), lease(2))])
    }

    @Test mutating func `renewals keep the lease`() {
        _ = ask("a/1", 1)
        _ = ask("b/1", 2)
        for time in stride(from: 500, through: 5_000, by: 500) {
            #expect(machine.renewed(key: "k", lease: lease(1), now: .milliseconds(time)) == [])
            #expect(tick(at: time) == [])
        }
        #expect(tick(at: 6_500) == [.grant(WaiterID(2), lease(2))])
    }

    @Test mutating func `the next deadline is that of the least recently renewed lease`() {
        _ = ask("a/1", 1, for: "k", at: 0)
        _ = ask("a/1", 2, for: "l", at: 100)
        _ = machine.renewed(key: "k", lease: lease(1), now: .milliseconds(200))
        #expect(machine.nextDeadline == .milliseconds(1_600))
        _ = tick(at: 1_600)
        #expect(machine.nextDeadline == .milliseconds(1_700))
    }

    @Test mutating func `one tick passes on every lease that is due`() {
        for key in ["k", "l"] {
            _ = ask("a/1", 1, for: key)
        }
        _ = ask("b/1", 2, for: "k")
        _ = ask("b/1", 3, for: "l")
        #expect(tick(at: 9_000) == [.grant(WaiterID(2), lease(3)), .grant(WaiterID(3), lease(4))])
    }

    @Test mutating func `an abandoned request has no outcome`() {
        _ = ask("a/1", 1)
        _ = ask("b/1", 2)
        _ = ask("c/1", 3)
        machine.abandoned(waiter: WaiterID(2))
        machine.abandoned(waiter: WaiterID(2))
        machine.abandoned(waiter: WaiterID(99))
        #expect(machine.parkedCount == 1)
        #expect(tick(at: 1_500) == [.grant(WaiterID(3), lease(2))])
    }

    @Test mutating func `a granted lease outlives the request that it was granted for`() {
        _ = ask("a/1", 1)
        machine.abandoned(waiter: WaiterID(1))
        #expect(ask("b/1", 2) == [.park(WaiterID(2))])
    }

    @Test(arguments: [LeaseID(epoch: 5, number: 1), LeaseID(epoch: 4, number: 2), LeaseID(epoch: 5, number: 9)])
    mutating func `a lease that is not current is reported and changes nothing`(stale: LeaseID) {
        _ = ask("a/1", 1)
        _ = ask("b/1", 2)
        _ = ask("c/1", 3)
        _ = tick(at: 1_500)
        let now = Duration.milliseconds(1_600)
        #expect(machine.renewed(key: "k", lease: stale, now: now) == [.staleLease(stale)])
        #expect(machine.completed(key: "k", lease: stale, now: now) == [.staleLease(stale)])
        #expect(machine.released(key: "k", lease: stale, failure: [], now: now) == [.staleLease(stale)])
        #expect(machine.completed(key: "other", lease: lease(2), now: now) == [.staleLease(lease(2))])
        #expect(machine.nextDeadline == .milliseconds(3_000))
        #expect(machine.completed(key: "k", lease: lease(2), now: now) == [.share(WaiterID(3))])
    }
}
