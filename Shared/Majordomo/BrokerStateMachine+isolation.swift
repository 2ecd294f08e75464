extension BrokerStateMachine {
    /// Dispatches the oldest suspect of a service to a worker with nothing in flight, or keeps one free for it.
    ///
    /// To be called when the queue has had its turn: so suspects that follow one another leave room for the others.
    mutating func dispatchSuspect(of service: Frame, at now: Duration, _ actions: inout [Action]) {
        var hasExpired = false
        while let list = suspects[service], list.inFlight == nil, let id = list.waiting.first,
            let entry = entries[id]
        {
            if entry.deadline <= now {
                end(id, with: .expired, &actions)
                hasExpired = true
            } else if let peer = leastUsedWorker(of: service, where: \.inFlight.isEmpty) {
                suspects[service]?.began(id, at: peer, bytes: entry.byteCount)
                dispatch(id, entry, to: peer, at: now, &actions)
            } else {
                return reserveWorker(of: service)
            }
        }
        // The worker that was kept free has room for others.
        if hasExpired, suspects[service] == nil { dispatch(service, at: now, &actions) }
    }

    /// A worker that drains takes no suspect: another one is kept free.
    mutating func keepAnotherFree(insteadOf peer: PeerID, at now: Duration, _ actions: inout [Action]) {
        guard let service = workers[peer]?.service, suspects[service]?.worker == peer else { return }
        dispatchSuspect(of: service, at: now, &actions)
    }

    /// The one that is free soonest, as far as can be known: with the fewest requests in flight.
    private mutating func reserveWorker(of service: Frame) {
        if let peer = suspects[service]?.worker, workers[peer]?.isDraining == false { return }
        let fewest = services[service]?.workers.compactMap { peer in
            workers[peer].flatMap { $0.isDraining ? nil : $0.inFlight.count }
        }.min()
        let peer = leastUsedWorker(of: service) { $0.inFlight.count == fewest }
        suspects[service]?.reserve(peer)
    }

    /// Of the workers that take requests.
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

    /// The worker that must get nothing but a suspect.
    func isolatedWorker(of service: Frame) -> PeerID? {
        suspects.isEmpty ? nil : suspects[service]?.worker
    }

    /// A worker is through with an entry: if it was a suspect, the worker is free for others.
    mutating func suspectEnded(_ id: UInt64, in service: Frame, at peer: PeerID) {
        guard !suspects.isEmpty else { return }
        suspects[service]?.ended(id, at: peer)
        forgetIdleSuspects(of: service)
    }

    /// Ends what waits; when it was a suspect, the worker that was kept free for it has room for others.
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
