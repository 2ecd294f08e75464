import Majordomo
import MessageBus

/// How workers handle dispatched requests.
extension Referee {
    /// How long one of our workers works on it.
    func began(_ delivery: WorkerStateMachine.Delivery, at worker: WorkerPeer) -> Duration {
        world.log?.record("worker.began", by: worker.name, at: now, delivery.control?.id)
        if worker.running > worker.kind.capacity {
            object(.overloadedProcess, "\(worker.name) works on \(worker.running)")
        }
        if isLawful, let dispatch = dispatches[delivery.ticket] {
            if dispatch.isBegun { object(.begunTwice, "\(dispatch.admission.call) at \(worker.name)") }
            dispatch.isBegun = true
        }
        if isLawful, let registration = worker.connection?.registration, hasSlept(worker, registration) {
            object(.begunAfterSleep, worker.name)
        }
        return begun(delivery.content)
    }

    /// Whether it was suspended for longer than the broker waits, and is still registered as before.
    private func hasSlept(_ worker: WorkerPeer, _ registration: Registration) -> Bool {
        worker.longestPause > registration.interval * timing.liveness
            && registration.joinedAt <= worker.longestPauseEnd - worker.longestPause
    }

    func began(_ body: [Frame], at worker: PlainWorkerPeer) -> Duration {
        let call = MessageTag(body.last).map { messages[$0.number].call }
        world.log?.record("worker.began", by: worker.name, at: now, call?.id)
        return begun(body[...])
    }

    private func begun(_ content: ArraySlice<Frame>) -> Duration {
        guard let tag = MessageTag(content.last) else { return .milliseconds(10) }
        let call = messages[tag.number].call
        call.workersBegun += 1
        if isLawful, !call.isIdempotent, call.workersBegun > 1 { object(.repeated, "\(call)") }
        return call.work
    }

    /// Observes every message of a peer as it enters the connection.
    func peerSends(_ frames: [Frame], over connection: Connection) {
        guard let worker = connection.owner as? WorkerPeer, frames.count >= 2, frames[1].count == 1 else { return }
        let command = frames[1][0]
        if !connection.hasSaidReady, command != 1 { object(.outOfOrder, "\(worker.name) before READY") }
        if connection.hasSaidGoodbye { object(.outOfOrder, "\(worker.name) after DISCONNECT") }
        if command == 1 { connection.hasSaidReady = true }
        if command == 6 { connection.hasSaidGoodbye = true }
        guard command == 4 else { return }
        let dispatch = dispatches[frames[2]]
        world.log?.record("worker.answered", by: worker.name, at: now, dispatch?.admission.call.id)
        if let dispatch, dispatch.registration.connection !== connection {
            object(.answeredElsewhere, "\(dispatch.admission.call) by \(worker.name)")
        }
    }

    func returned(_ delivery: WorkerStateMachine.Delivery, by worker: WorkerPeer) {
        world.tally.returned += 1
        world.log?.record("worker.returned", by: worker.name, at: now, delivery.control?.id)
        dispatches[delivery.ticket]?.isWithheld = true
    }

    /// One of our workers closes its connection for a new one.
    func gaveUp(_ worker: WorkerPeer) {
        world.tally.reopens += 1
        worker.connection?.isGivenUp = true
        world.log?.record("worker.reopened", by: worker.name, at: now)
        guard isLawful, let registration = worker.connection?.registration,
            isHealthy(registration, since: now - registration.interval * timing.liveness)
        else { return }
        object(.healthyLost, "\(worker.name) gave its connection up")
    }

    func stopped(_ worker: WorkerPeer) {
        world.tally.stops += 1
        // While draining, it does not wait for a broker that seems to be a plain one.
        if worker.connection?.hasBeenHeard == false { worker.connection?.isGivenUp = true }
        world.log?.record("worker.stopped", by: worker.name, at: now)
    }
}
