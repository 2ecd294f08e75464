internal import HeapModule

extension BrokerStateMachine {
    /// When `ticked` has something to do; nil when only a message can change anything.
    public var nextDeadline: Duration? {
        let heartbeats = workers.values.map { min($0.lastSent + $0.options.heartbeatInterval, expiry(of: $0)) }.min()
        return [timers.min?.due, heartbeats].compactMap { $0 }.min()
    }

    private func expiry(of worker: Worker) -> Duration {
        worker.lastHeard + worker.options.heartbeatInterval * timing.liveness
    }

    /// Does what is due: silent workers are dropped, heartbeats sent, entries past their time ended.
    public mutating func ticked(at now: Duration) -> [Action] {
        noticeStandstill(until: now)
        defer { tickDue = nextDeadline }
        var actions: [Action] = []
        // In a fixed order, so that a simulation repeats itself.
        let silent = workers.filter { expiry(of: $0.value) <= now }.keys.sorted { $0.lexicographicallyPrecedes($1) }
        // All of them first: what one leaves behind must not be handed to the next.
        for peer in silent { workers[peer]?.isDraining = true }
        for peer in silent { actions += removeWorker(peer, reason: .silent, at: now) }
        let waiting = workers.filter { $0.value.lastSent + $0.value.options.heartbeatInterval <= now }
        for (peer, worker) in waiting.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            workers[peer]?.lastSent = now
            actions += send(.heartbeat(extra: []), to: peer, worker.version)
        }
        while let timer = timers.min, timer.due <= now {
            timers.removeMin()
            actions += reminded(of: timer.entry, at: now)
        }
        return actions
    }

    /// When the broker itself stood still until now (a stopped process, a starved machine), what its workers sent
    /// meanwhile lies unread, so their silence says nothing: each gets one interval to be heard.
    mutating func noticeStandstill(until now: Duration) {
        guard let due = tickDue, now - due > timing.standstill else { return }
        // The tick is still to come; until then this is the same standstill.
        tickDue = now
        for (peer, worker) in workers {
            let almostSilent = now - worker.options.heartbeatInterval * (timing.liveness - 1)
            workers[peer]?.lastHeard = max(worker.lastHeard, almostSilent)
        }
    }

    /// A worker has joined: the next tick is due within its interval.
    mutating func expectTick(of worker: Worker, at now: Duration) {
        let due = now + worker.options.heartbeatInterval
        tickDue = tickDue.map { min($0, due) } ?? due
    }

    private mutating func reminded(of id: UInt64, at now: Duration) -> [Action] {
        guard let entry = entries[id] else { return [] }
        if entry.deadline <= now { return end(id, with: .expired) }
        if entry.state == .queued, let endOfGrace = endOfGrace(for: entry), endOfGrace <= now {
            return end(id, with: .unavailable)
        }
        setTimer(for: id)
        return []
    }
}
