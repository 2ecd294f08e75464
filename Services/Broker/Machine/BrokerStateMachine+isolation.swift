internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    /// Dispatches the oldest suspect of a service to a worker with nothing in flight, or reserves a worker for it.
    ///
    /// Call this after the queue has been dispatched, so that successive suspects leave room for other requests.
    mutating func dispatchSuspect(of service: Frame, at now: Duration, _ actions: inout [Action]) {
        var hasExpired = false
        while let list = suspects[service], list.inFlight == nil, let id = list.waiting.first,
            let entry = entries[id]
        {
            if entry.deadline <= now {
                end(id, with: .expired, &actions)
                hasExpired = true
            } else if let peer = leastUsedWorker(of: service, where: \.inFlight.isEmpty) {
                suspects[service]?.begin(id, at: peer, bytes: entry.byteCount)
                dispatch(id, entry, to: peer, at: now, &actions)
            } else {
                return reserveWorker(of: service)
            }
        }
        // The reserved worker has room for other requests.
        if hasExpired, suspects[service] == nil { dispatch(service, at: now, &actions) }
    }

    /// A draining worker takes no suspect: reserves another one.
    mutating func reserveAnotherWorker(insteadOf peer: PeerID, at now: Duration, _ actions: inout [Action]) {
        guard let service = workers[peer]?.service, suspects[service]?.worker == peer else { return }
        dispatchSuspect(of: service, at: now, &actions)
    }

    /// Reserves the worker with the fewest requests in flight: it is expected to be free first.
    private mutating func reserveWorker(of service: Frame) {
        if let peer = suspects[service]?.worker, workers[peer]?.isDraining == false { return }
        let fewest = services[service]?.workers.compactMap { peer in
            workers[peer].flatMap { $0.isDraining ? nil : $0.inFlight.count }
        }.min()
        let peer = leastUsedWorker(of: service) { $0.inFlight.count == fewest }
        suspects[service]?.reserve(peer)
    }

    /// The least recently used worker that takes requests and meets the condition.
    func leastUsedWorker(
        of service: Frame, except isolated: PeerID? = nil, where isFit: (Worker) -> Bool
    ) -> PeerID? {
        guard let peers = services[service]?.workers else { return nil }
        var best: (peer: PeerID, lastUse: UInt64)?
        for peer in peers where peer != isolated {
            guard let worker = workers[peer], !worker.isDraining, isFit(worker) else { continue }
            if let best, best.lastUse < worker.lastUse { continue }
            best = (peer, worker.lastUse)
        }
        return best?.peer
    }

    /// The worker that may get nothing but a suspect.
    func isolatedWorker(of service: Frame) -> PeerID? {
        suspects.isEmpty ? nil : suspects[service]?.worker
    }

    /// A worker has finished an entry: if it was a suspect, the worker is free for other requests.
    mutating func endSuspect(_ id: UInt64, in service: Frame, at peer: PeerID) {
        guard !suspects.isEmpty else { return }
        suspects[service]?.end(id, at: peer)
        forgetIdleSuspects(of: service)
    }

    /// Ends a waiting entry; if it was a suspect, its reserved worker has room for other requests.
    mutating func endWaiting(
        _ entry: Entry, _ id: UInt64, with refusal: Refusal, at now: Duration, _ actions: inout [Action]
    ) {
        end(id, with: refusal, &actions)
        if entry.isSuspect { dispatch(entry.service, at: now, &actions) }
    }

    mutating func forgetIdleSuspects(of service: Frame) {
        if suspects[service]?.isIdle == true { suspects[service] = nil }
    }
}
