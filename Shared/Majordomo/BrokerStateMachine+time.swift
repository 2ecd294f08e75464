internal import HeapModule

extension BrokerStateMachine {
    /// When `ticked` has something to do; nil when only a message can change anything.
    public var nextDeadline: Duration? {
        var next = timers.min?.due
        func consider(_ due: Duration) {
            if next.map({ due < $0 }) ?? true { next = due }
        }
        for worker in workers.values {
            consider(worker.lastSent + worker.options.heartbeatInterval)
            consider(expiry(of: worker))
        }
        if let due = pendingDropReports.due { consider(due) }
        return next
    }

    private func expiry(of worker: Worker) -> Duration {
        worker.lastHeard + worker.silenceLimit
    }

    /// Does what is due: silent workers are dropped, heartbeats sent, entries past their time ended.
    public mutating func ticked(at now: Duration) -> [Action] {
        noticeStandstill(until: now)
        defer { tickDue = nextDeadline }
        var actions: [Action] = []
        // In a fixed order, so that a simulation repeats itself.
        let silent = workers.filter { expiry(of: $0.value) <= now }.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for peer in silent { missed(peer, at: now) }
        // All of them first: what one leaves behind must not be handed to the next.
        for peer in silent { workers[peer]?.isDraining = true }
        for peer in silent { removeWorker(peer, reason: .silent, at: now, &actions) }
        let waiting = workers.filter { $0.value.lastSent + $0.value.options.heartbeatInterval <= now }
        for (peer, worker) in waiting.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            workers[peer]?.lastSent = now
            send(.heartbeat(extra: []), to: peer, worker.version, &actions)
        }
        // Those of ended entries go too, or they would ring one by one.
        while let timer = timers.min, timer.due <= now || entries[timer.entry] == nil {
            timers.removeMin()
            reminded(by: timer, at: now, &actions)
        }
        reportDrops(at: now, &actions)
        return actions
    }

    /// When the broker itself stood still until now (a stopped process, a starved machine), what its workers sent
    /// meanwhile lies unread, so their silence says nothing: each gets one interval to be heard.
    mutating func noticeStandstill(until now: Duration) {
        guard let due = tickDue, now - due > timing.suspension else { return }
        // The tick is still to come; until then this is the same standstill.
        tickDue = now
        for (peer, worker) in workers {
            let almostSilent = now - worker.silenceLimit + worker.options.heartbeatInterval
            workers[peer]?.lastHeard = max(worker.lastHeard, almostSilent)
        }
    }

    /// A worker has joined: the next tick is due within its interval.
    mutating func expectTick(of worker: Worker, at now: Duration) {
        let due = now + worker.options.heartbeatInterval
        tickDue = tickDue.map { min($0, due) } ?? due
    }

    private mutating func reminded(by timer: EntryTimer, at now: Duration, _ actions: inout [Action]) {
        let id = timer.entry
        guard let entry = entries[id], entry.reminder == timer.due else { return }
        entries[id]?.reminder = nil
        if entry.deadline <= now {
            endWaiting(entry, id, with: .expired, at: now, &actions)
        } else if entry.state == .queued, let endOfGrace = endOfGrace(for: entry), endOfGrace <= now {
            endWaiting(entry, id, with: .unavailable, at: now, &actions)
        } else {
            setTimer(for: id)
        }
    }

    /// Sets the entry's next reminder: its deadline, or the end of its wait for a first worker.
    mutating func setTimer(for id: UInt64) {
        guard let entry = entries[id] else { return }
        var due = entry.deadline
        if entry.state == .queued, let end = endOfGrace(for: entry) { due = min(due, end) }
        // An earlier one sets the next when it comes: workers that come and go must not pile them up.
        if let reminder = entry.reminder, reminder <= due { return }
        entries[id]?.reminder = due
        timers.insert(EntryTimer(due: due, entry: id))
        forgetStaleTimers()
    }

    /// Most entries end long before their deadline: without this, their reminders would pile up until then.
    private mutating func forgetStaleTimers() {
        guard timers.count > 4 * entries.count + 1024 else { return }
        timers = Heap(timers.unordered.filter { entries[$0.entry] != nil })
    }

    func endOfGrace(for entry: Entry) -> Duration? {
        // A plain client would not hear that there is no worker: its request waits for one until its deadline.
        guard entry.control != nil, let since = services[entry.service]?.workerlessSince else { return nil }
        return max(since, entry.arrivedAt) + timing.noWorkerGrace
    }
}
