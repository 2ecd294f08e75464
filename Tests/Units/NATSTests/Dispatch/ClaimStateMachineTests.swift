import Majordomo
import MessageBus
import Testing

@testable import NATS

/// Times in milliseconds.
@Suite struct ClaimStateMachineTests {
    private static let own = ClaimStateMachine.Record(instance: "job/1", process: 1)
    private static let namesake = ClaimStateMachine.Record(instance: "job/1", process: 2)
    private static let other = ClaimStateMachine.Record(instance: "job/2", process: 3)

    private func at(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

    private func held(_ dismissal: WorkerDismissal, revision: UInt64 = 5) -> ClaimStateMachine {
        var claim = ClaimStateMachine(Self.own, dismissal: dismissal)
        _ = claim.nextStep(at: .zero)
        claim.found(nil, revision: 0, at: .zero)
        claim.written(revision: revision, at: .zero)
        return claim
    }

    @Test(arguments: [WorkerDismissal.doubled, .exclusive])
    func `a free name is taken by a write that replaces nothing`(dismissal: WorkerDismissal) {
        var claim = ClaimStateMachine(Self.own, dismissal: dismissal)
        #expect(claim.nextStep(at: .zero) == .read)
        claim.found(nil, revision: 0, at: .zero)
        #expect(claim.nextStep(at: .zero) == .write(replacing: 0))
        #expect(claim.heldRevision == nil)
        claim.written(revision: 7, at: .zero)
        #expect(claim.heldRevision == 7)
    }

    @Test func `a name that was given up is free at its last revision`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .exclusive)
        claim.found(nil, revision: 9, at: .zero)
        #expect(claim.nextStep(at: .zero) == .write(replacing: 9))
    }

    @Test func `the holder writes again at each heartbeat`() {
        var claim = held(.doubled)
        #expect(claim.nextStep(at: at(100)) == .wait(until: at(500)))
        #expect(claim.nextStep(at: at(500)) == .write(replacing: 5))
        claim.written(revision: 6, at: at(501))
        #expect(claim.nextStep(at: at(501)) == .wait(until: at(1001)))
    }

    @Test func `the name of an instance is taken from another process at once`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .doubled)
        claim.found(Self.namesake, revision: 4, at: .zero)
        #expect(claim.nextStep(at: .zero) == .write(replacing: 4))
    }

    @Test(arguments: [WorkerDismissal.doubled, .exclusive])
    func `a holder whose name was taken is dismissed`(dismissal: WorkerDismissal) {
        var claim = held(dismissal)
        #expect(claim.nextStep(at: at(500)) == .write(replacing: 5))
        claim.conflicted()
        #expect(claim.nextStep(at: at(501)) == .read)
        claim.found(Self.namesake, revision: 6, at: at(502))
        #expect(claim.nextStep(at: at(502)) == .dismissed(dismissal))
    }

    /// A server refuses a write without comparing while an earlier one is on its way.
    @Test func `a refused write is repeated after a pause when the record has the same revision`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .exclusive)
        claim.found(nil, revision: 4, at: .zero)
        #expect(claim.nextStep(at: .zero) == .write(replacing: 4))
        claim.conflicted()
        #expect(claim.nextStep(at: at(1)) == .read)
        claim.found(nil, revision: 4, at: at(2))
        #expect(claim.nextStep(at: at(2)) == .wait(until: at(252)))
        #expect(claim.nextStep(at: at(252)) == .read)
        claim.found(nil, revision: 4, at: at(253))
        #expect(claim.nextStep(at: at(253)) == .write(replacing: 4))
    }

    @Test func `a holder whose answer was lost goes on with its own record`() {
        var claim = held(.doubled)
        #expect(claim.nextStep(at: at(500)) == .write(replacing: 5))
        claim.failed(at: at(1500))
        #expect(claim.nextStep(at: at(1500)) == .wait(until: at(1750)))
        #expect(claim.nextStep(at: at(1750)) == .read)
        claim.found(Self.own, revision: 6, at: at(1751))
        #expect(claim.nextStep(at: at(1751)) == .write(replacing: 6))
    }

    @Test func `a newcomer leaves a service to a living holder`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .exclusive)
        claim.found(Self.other, revision: 4, at: .zero)
        #expect(claim.nextStep(at: .zero) == .wait(until: at(500)))
        #expect(claim.nextStep(at: at(500)) == .read)
        claim.found(Self.other, revision: 5, at: at(501))
        #expect(claim.nextStep(at: at(501)) == .dismissed(.exclusive))
    }

    @Test func `a newcomer takes a service whose holder is silent for too long`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .exclusive)
        var steps = 0
        var now = Duration.zero
        while steps < 20, claim.nextStep(at: now) == .read {
            claim.found(Self.other, revision: 4, at: now)
            if case .wait(let until) = claim.nextStep(at: now) { now = until }
            steps += 1
        }
        #expect(claim.nextStep(at: now) == .write(replacing: 4))
        #expect(now >= ClaimTiming().silence)
        // The holder was only slow, and has written meanwhile.
        claim.conflicted()
        #expect(claim.nextStep(at: now) == .read)
        claim.found(Self.other, revision: 5, at: now)
        #expect(claim.nextStep(at: now) == .dismissed(.exclusive))
    }

    @Test func `a successor of the same name takes its service at once`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .exclusive)
        claim.found(Self.namesake, revision: 4, at: .zero)
        #expect(claim.nextStep(at: .zero) == .write(replacing: 4))
    }

    @Test func `time in which nobody could write does not count against the holder`() {
        var claim = ClaimStateMachine(Self.own, dismissal: .exclusive)
        claim.found(Self.other, revision: 4, at: .zero)
        #expect(claim.nextStep(at: at(500)) == .read)
        claim.failed(at: at(1500))
        #expect(claim.nextStep(at: at(5000)) == .read)
        claim.found(Self.other, revision: 4, at: at(5000))
        #expect(claim.nextStep(at: at(5000)) == .wait(until: at(5500)))
    }
}
