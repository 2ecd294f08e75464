internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    /// The requests that a worker got before a time, oldest first.
    func charges(of worker: Worker, before time: Duration?) -> [CrashTable.Charge] {
        worker.inFlight.keys.sorted().compactMap { id in
            guard let entry = entries[id] else { return worker.ended[id] }
            return time.map { entry.dispatchedAt < $0 } ?? true ? charge(of: id) : nil
        }
    }

    /// The connection of a worker has ended without DISCONNECT: counts a crash against all its requests in flight.
    mutating func countCrash(
        of process: LostWorkers.Process?, against charges: [CrashTable.Charge], service: Frame, at now: Duration,
        _ actions: inout [Action]
    ) {
        guard let first = charges.first?.fingerprint else { return }
        lastCrash += 1
        if let process { lostWorkers.recordCrash(of: process, number: lastCrash, at: now) }
        let wasAlone = charges.allSatisfy { $0.fingerprint == first }
        var isChanged = false
        for charge in charges
        where crashTable.count(charge.fingerprint, crash: lastCrash, wasAlone: wasAlone, at: now) {
            isChanged = true
            actions.append(.note(event(of: charge, at: service)))
        }
        if isChanged { sortWaiting(of: service, at: now, &actions) }
    }

    private func event(of charge: CrashTable.Charge, at service: Frame) -> LedgerEvent {
        guard crashTable.standing(of: charge.fingerprint) == .quarantined else {
            return .suspected(id: charge.id, service: service.text, kind: charge.kind)
        }
        return .quarantined(
            id: charge.id, service: service.text, kind: charge.kind,
            crashes: crashTable.crashCount(of: charge.fingerprint))
    }

    /// A worker is silent or unreachable: it has crashed if its connection ends after that.
    ///
    /// Only a worker that states its process number is recorded, since only its return can be recognised.
    ///
    /// - Parameter time: what was dispatched since then has not reached the worker.
    mutating func recordAbsence(of peer: PeerID, undeliveredSince time: Duration, at now: Duration) {
        guard let worker = workers[peer], !worker.isDraining, let process = LostWorkers.Process(worker.options) else {
            return
        }
        let charges = charges(of: worker, before: time)
        guard !charges.isEmpty else { return }
        lostWorkers.recordAbsence(of: peer, process, service: worker.service, charges: charges, at: now)
    }

    /// A process registers again: it has not crashed, even if its last connection was lost.
    mutating func handleReturn(
        of options: WorkerOptions, to service: Frame, at now: Duration, _ actions: inout [Action]
    ) {
        guard let process = LostWorkers.Process(options), let crash = lostWorkers.takeCrash(of: process) else { return }
        crashTable.retract(crash: crash)
        sortWaiting(of: service, at: now, &actions)
        dispatch(service, at: now, &actions)
    }

    /// A worker has answered the request and is healthy: removes the crashes counted against the request.
    mutating func exonerate(_ entry: Entry, at now: Duration, _ actions: inout [Action]) {
        guard crashTable.concerns(entry.service, at: now) else { return }
        exonerate(fingerprint(of: entry), at: now, &actions)
    }

    mutating func exonerate(
        _ fingerprint: CrashTable.Fingerprint, at now: Duration, _ actions: inout [Action]
    ) {
        if crashTable.clear(fingerprint) { sortWaiting(of: fingerprint.service, at: now, &actions) }
    }

    /// The standing of the request by the known crashes. The fingerprint is computed only if there are any.
    mutating func standing(of entry: inout Entry, at now: Duration) -> CrashTable.Standing {
        guard crashTable.concerns(entry.service, at: now) else { return .innocent }
        let fingerprint = fingerprint(of: entry)
        entry.hash = fingerprint.hash
        return crashTable.standing(of: fingerprint)
    }

    /// Moves every waiting request of a service by its present standing: into the queue or among the suspects.
    private mutating func sortWaiting(of service: Frame, at now: Duration, _ actions: inout [Action]) {
        for id in (services[service]?.queue.entries ?? []).sorted() {
            guard var entry = entries[id] else { continue }
            let standing = standing(of: &entry, at: now)
            entries[id] = entry
            if standing == .quarantined { end(id, with: .workerLost, &actions) }
            guard standing == .suspect else { continue }
            services[service]?.queue.remove(id, of: entry.client.peer, bytes: entry.byteCount)
            entries[id]?.isSuspect = true
            suspects[service, default: SuspectList()].insert(id, bytes: entry.byteCount)
        }
        // Newest first, since each goes to the front of the queue.
        for id in (suspects[service]?.waiting ?? []).reversed() {
            guard var entry = entries[id] else { continue }
            let standing = standing(of: &entry, at: now)
            if standing == .quarantined { end(id, with: .workerLost, &actions) }
            guard standing == .innocent else { continue }
            suspects[service]?.remove(id, bytes: entry.byteCount)
            forgetIdleSuspects(of: service)
            entries[id]?.isSuspect = false
            services[service]?.queue.restore(id, of: entry.client.peer, bytes: entry.byteCount)
        }
    }

    /// The charge for a request in the ledger.
    func charge(of id: UInt64) -> CrashTable.Charge? {
        guard let entry = entries[id] else { return nil }
        let description = description(of: entry)
        return CrashTable.Charge(
            fingerprint: fingerprint(of: entry, description),
            // The text comes from outside and goes into an event, so its length is bounded.
            kind: String(description.kind.prefix(100)), id: entry.control?.id)
    }

    private func fingerprint(of entry: Entry, _ description: RequestDescription? = nil) -> CrashTable.Fingerprint {
        if let hash = entry.hash { return CrashTable.Fingerprint(service: entry.service, hash: hash) }
        return CrashTable.Fingerprint(service: entry.service, description ?? self.description(of: entry))
    }

    private func description(of entry: Entry) -> RequestDescription {
        describe(entry.body.content) ?? RequestDescription(kind: "", payload: entry.body.content)
    }
}
