import BrokerMachine
import Majordomo
import MessageBus

/// The broker's ledger events, and its state after each message.
extension Referee {
    func brokerNotes(_ event: LedgerEvent) {
        world.log?.record(event, at: now)
        switch event {
        case .workerJoined(let service, let instance, let capacity): joined(service, instance, capacity)
        case .workerLeft(_, let instance, let reason):
            guard let registration = registered.first(where: { $0.instance == instance }) else { return }
            left(registration, reason)
        case .refused(nil, _, let refusal):
            // Plain clients get no refusal; an expired request is known by its deadline, a lost one by its worker.
            if refusal == .overloaded, let admission = cause.admission, admission.call.isPlain { end(admission) }
        case .dropped(let reason, _, let count): world.tally.dropped[reason, default: 0] += count
        case .workerRefused: world.tally.shutOut += 1
        case .cancelled(let id, _): if id != nil, cause.lost != nil { cause.cancellations -= 1 }
        case .suspected:
            world.tally.suspected += 1
            cause.suspicions -= 1
        case .quarantined:
            world.tally.quarantined += 1
            cause.quarantines -= 1
        case .refused, .queued, .dispatched, .redelivered, .answered: break
        }
    }

    private func joined(_ service: String, _ instance: String, _ capacity: Int) {
        guard let connection = cause.connection, let ready = cause.ready else { return }
        if registered.contains(where: { $0.instance == instance }) { object(.sameInstance, instance) }
        let registration = Registration(
            connection: connection, service: ready.service, instance: instance,
            capacity: ready.options?.capacity ?? 1,
            interval: ready.options?.heartbeatInterval ?? timing.plainHeartbeatInterval,
            isPlain: ready.options == nil, isExclusive: ready.options?.isExclusive ?? false, joinedAt: now,
            process: ready.options.flatMap { CrashBook.Process($0) })
        let others = registered.filter { $0.service == ready.service }
        if !others.isEmpty, registration.isExclusive || others.contains(where: \.isExclusive) {
            object(.sharedExclusive, "\(instance) beside \(others[0].instance)")
        }
        connection.registration = registration
        registrations.append(registration)
        registered.append(registration)
        workerlessSince[ready.service] = nil
        isUnsettled = true
    }

    private func left(_ registration: Registration, _ reason: WorkerLeaveReason) {
        let owner = registration.connection.owner
        let limit = registration.interval * timing.liveness
        let wasHealthy = isHealthy(registration, since: now - limit)
        if reason == .expelled { world.tally.expelled += 1 }
        if reason == .silent {
            world.tally.silent += 1
            if now - registration.lastHeard < limit { object(.droppedAlive, registration.instance) }
            if isKeptAtWork(registration) { object(.droppedWorking, registration.instance) }
            let isHealthy = max(owner.troubledUntil, registration.connection.troubledUntil) <= now - limit
            if isLawful, isHealthy, registration.connection.up.unread > 0 {
                object(.droppedAlive, "\(registration.instance), whose messages lie unread")
            }
        }
        if reason == .silent || reason == .unreachable, !registration.isDraining, let process = registration.process {
            crashBook.fellSilent(registration.held(before: now), of: process, over: registration.connection)
        }
        // The last message of an ended connection may arrive late, and expel its successor.
        let isLate = cause.connection?.isClosed == true
        if isLawful, wasHealthy, !isLate, owner is WorkerPeer || owner is PlainWorkerPeer {
            object(.healthyLost, "\(registration.instance) \(reason.rawValue)")
        }
        // A worker that takes the broker for a plain one leaves before it registers again, and has begun nothing.
        let isGivenUp = registration.connection.isGivenUp
        if isLawful, reason == .disconnected, !isGivenUp,
            let dispatch = registration.outstanding.first(where: { !$0.isWithheld })
        {
            object(.drainLost, "\(dispatch.admission.call) at \(registration.instance)")
        }
        for dispatch in registration.outstanding {
            let admission = dispatch.admission
            guard admission.isLive, admission.dispatches.last === dispatch else { continue }
            admission.state = .queued
        }
        let lost = registration.outstanding
        unregister(registration)
        for dispatch in lost where dispatch.admission.call.isPlain && !mayGoToAnother(dispatch.admission) {
            end(dispatch.admission)
        }
        if !registered.contains(where: { $0.service == registration.service }) {
            workerlessSince[registration.service] = now
        }
        isUnsettled = true
    }

    /// The broker has completed its reaction to a message or a tick.
    func brokerHasSettled() {
        for registration in registered
        where registration.isFull || registration.isIsolated || isKeptFree(in: registration.service) {
            registration.lastFullAt = now
        }
        judgeKeptFree()
        if cause.suspicions != 0 || cause.quarantines != 0 { object(.miscounted, "\(cause)") }
        guard isUnsettled, violation == nil else { return }
        isUnsettled = false
        for admission in live where admission.state == .queued && admission.deadline > now {
            // A plain client gets no message about it.
            if isQuarantined(admission), admission.call.isPlain {
                end(admission)
                continue
            }
            if isQuarantined(admission) || !admission.dispatches.isEmpty && !mayGoToAnother(admission) {
                object(.notRefusedAtOnce, "\(admission.call)")
            }
            if let idle = worker(freeFor: admission) {
                object(.leftWaiting, "\(admission.call) beside \(idle.instance)")
            }
        }
    }

    func brokerHasTicked() {
        for registration in registered
        where isSilent(registration, by: .milliseconds(5)) && !isKeptAtWork(registration) {
            object(.deadKept, registration.instance)
        }
    }

    /// Whether it is a plain worker with a request that no other worker could take.
    private func isKeptAtWork(_ registration: Registration) -> Bool {
        let live = registration.outstanding.map(\.admission).filter { $0.isLive && $0.deadline > now }
        let canGo = live.allSatisfy(mayBeRedelivered)
        let hasRoom = registered.contains { $0.service == registration.service && !$0.isDraining && !$0.isFull }
        return registration.isPlain && !live.isEmpty && !(canGo && hasRoom)
    }

    /// Whether the broker has read nothing of it for longer than its liveness.
    func isSilent(_ registration: Registration, by slack: Duration = .zero) -> Bool {
        let limit = registration.interval * timing.liveness
        // After its own suspension the broker gives every peer one interval to be heard.
        let grace = min(broker.troubledUntil, now) - registration.interval * (timing.liveness - 1)
        return now - max(registration.lastHeard, grace) > limit + slack
    }
}
