internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    /// Removes a worker; its requests in flight are redelivered or fail at once.
    mutating func removeWorker(
        _ peer: PeerID, reason: WorkerLeaveReason, at now: Duration, _ actions: inout [Action]
    ) {
        guard let worker = workers.removeValue(forKey: peer) else { return }
        services[worker.service]?.workers.removeAll { $0 == peer }
        if services[worker.service]?.workers.isEmpty == true { services[worker.service]?.workerlessSince = now }
        actions.append(
            .note(.workerLeft(service: worker.service.text, instance: worker.options.instance, reason: reason)))
        suspects[worker.service]?.release(peer)
        forgetIdleSuspects(of: worker.service)
        // Newest first, since each goes to the front of the queue: the oldest is dispatched first again.
        for id in worker.inFlight.keys.sorted(by: >) { redeliverOrEnd(id, lostBy: worker, at: now, &actions) }
        for id in services[worker.service]?.queue.entries ?? [] { setTimer(for: id) }
        for id in suspects[worker.service]?.waiting ?? [] { setTimer(for: id) }
        dispatch(worker.service, at: now, &actions)
        forgetIfIdle(worker.service)
    }

    func mayBeRedelivered(_ entry: Entry) -> Bool {
        entry.isIdempotent && entry.attempts < timing.maxAttempts && !entry.hasForwardedPartial
    }

    private mutating func redeliverOrEnd(
        _ id: UInt64, lostBy worker: Worker, at now: Duration, _ actions: inout [Action]
    ) {
        guard var entry = entries[id] else { return }
        guard mayBeRedelivered(entry) else {
            return end(id, with: .workerLost, &actions)
        }
        let standing = standing(of: &entry, at: now)
        guard standing != .quarantined else { return end(id, with: .workerLost, &actions) }
        entry.isSuspect = standing == .suspect
        entry.state = .queued
        entry.queuedSince = now
        entries[id] = entry
        counters.redeliveries += 1
        if entry.isSuspect {
            suspects[entry.service, default: SuspectList()].insert(id, bytes: entry.byteCount)
        } else {
            services[entry.service]?.queue.restore(id, of: entry.client.peer, bytes: entry.byteCount)
        }
        actions.append(
            .note(
                .redelivered(id: entry.control?.id, service: entry.serviceName, instance: worker.options.instance)))
    }
}
