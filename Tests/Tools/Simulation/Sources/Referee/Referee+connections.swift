import Majordomo
import MessageBus

/// How the broker handles the ends of connections.
extension Referee {
    func brokerLoses(_ connection: Connection) {
        cause = Cause(lost: connection)
        if connection.isOpen { object(.newcomerLost, connection.owner.name) }
        let changes: [CrashBook.Standing]
        if let registration = connection.registration, registration.isLive {
            changes =
                registration.isDraining
                ? [] : crashBook.count(registration.held, of: registration.process)
        } else {
            changes = crashBook.ended(connection)
        }
        for standing in changes { expect(standing) }
        isUnsettled = true
        for admission in live where admission.connection === connection && admission.state == .queued {
            if !admission.call.isPlain { cause.cancellations += 1 }
            end(admission)
        }
    }

    private func expect(_ standing: CrashBook.Standing) {
        switch standing {
        case .innocent: break
        case .suspect: cause.suspicions += 1
        case .quarantined: cause.quarantines += 1
        }
    }

    func brokerHasLost(_ connection: Connection) {
        world.tally.ends += 1
        if cause.cancellations != 0 { object(.keptWithoutClient, connection.owner.name) }
        if connection.registration?.isLive == true { object(.endIgnored, connection.owner.name) }
    }

    /// The broker has processed the end of a connection, which it read at that time.
    func brokerHasRead(endOf connection: Connection, at time: Duration) {
        guard let registration = connection.registration, registration.isLive, registration.joinedAt < time else {
            return
        }
        object(.endIgnored, registration.instance)
    }

    /// A worker that must get the request, if there is one.
    func worker(freeFor admission: Admission) -> Registration? {
        let all = registered.filter { $0.service == admission.call.service }
        let taking = all.filter { !$0.isDraining }
        let isOnTrial = all.contains(where: \.isIsolated)
        if isSuspect(admission) { return isOnTrial ? nil : taking.first { $0.outstanding.isEmpty } }
        let free = taking.filter { !$0.isFull && !$0.isIsolated }
        guard !isOnTrial, isKeptFree(in: admission.call.service) else { return free.first }
        // One worker is kept free for a suspect, but not a worker that has nothing in flight.
        return free.first { $0.outstanding.isEmpty } ?? (free.count > 1 ? free.first : nil)
    }

    func isSuspect(_ admission: Admission) -> Bool { crashBook.standing(of: admission.likeness) == .suspect }
    func isQuarantined(_ admission: Admission) -> Bool { crashBook.standing(of: admission.likeness) == .quarantined }

    /// Whether a suspect waits, so that one worker of the service gets nothing. A request past its deadline waits until
    /// the next tick.
    func isKeptFree(in service: Frame) -> Bool { hasSuspect(waitingIn: service, until: lastTick) }

    private func hasSuspect(waitingIn service: Frame, until time: Duration) -> Bool {
        live.contains { $0.call.service == service && $0.state == .queued && $0.deadline > time && isSuspect($0) }
    }

    /// While a suspect waits, one worker gets nothing, so that finally it has nothing in flight.
    func judgeKeptFree() {
        defer { for registration in registered { registration.hasGotMore = false } }
        for service in Set(registered.map(\.service)) {
            let all = registered.filter { $0.service == service }
            guard hasSuspect(waitingIn: service, until: now), !all.contains(where: \.isIsolated) else {
                keptFree[service] = nil
                continue
            }
            let taking = all.filter { !$0.isDraining }
            let before = keptFree[service] ?? []
            let haveAllStayed = before.allSatisfy { kept in taking.contains { $0 === kept } }
            let after = before.filter { !$0.hasGotMore }
            // When the worker that was kept free may have left, another one is kept free from now on.
            keptFree[service] = haveAllStayed && !before.isEmpty ? after : taking
            if keptFree[service]?.isEmpty == true, !taking.isEmpty { object(.noneKeptFree, service.text) }
        }
    }
}
