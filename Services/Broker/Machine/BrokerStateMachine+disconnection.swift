public import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    /// The peer's connection has ended.
    ///
    /// This may be reported twice, and before the last messages of the peer, which then come from an unknown peer.
    ///
    /// - Parameter time: what was queued for the peer since then has not reached it; nil when all of it may have.
    public mutating func disconnected(
        _ peer: PeerID, undeliveredSince time: Duration? = nil, at now: Duration, _ actions: inout [Action]
    ) {
        detectSuspension(until: now)
        lostWorkers.forgetSilence(of: peer)
        cancelWaiting(of: peer, at: now, &actions)
        if let worker = workers[peer] {
            // A draining worker may end its connection at any time.
            if !worker.isDraining {
                let process = LostWorkers.Process(worker.options)
                let charges = charges(of: worker, before: time)
                countCrash(of: process, against: charges, service: worker.service, at: now, &actions)
            }
            removeWorker(peer, reason: .connectionLost, at: now, &actions)
            // The expected next tick may have been due to this worker.
            tickDue = nextDeadline
        } else if let absence = lostWorkers.takeAbsence(of: peer, at: now) {
            countCrash(of: absence.process, against: absence.charges, service: absence.service, at: now, &actions)
            dispatch(absence.service, at: now, &actions)
        }
    }

    /// Cancels the waiting requests of a client; dispatched requests stay until they end.
    private mutating func cancelWaiting(of peer: PeerID, at now: Duration, _ actions: inout [Action]) {
        guard shares[peer] != nil else { return }
        let suspected = suspects.values.flatMap(\.waiting).filter { entries[$0]?.client.peer == peer }
        let queued = services.values.flatMap { $0.queue.entries(of: peer) }
        var changed: [Frame] = []
        // In a fixed order, so that a simulation repeats itself.
        for id in (suspected + queued).sorted() {
            guard let entry = remove(id) else { continue }
            actions.append(.note(.cancelled(id: entry.control?.id, service: entry.serviceName)))
            if entry.isSuspect, !changed.contains(entry.service) { changed.append(entry.service) }
        }
        for service in changed { dispatch(service, at: now, &actions) }
    }
}
