internal import HeapModule
internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    /// When `ticked` is due; nil when only a message can change the state.
    public var nextDeadline: Duration? {
        var next = timers.min?.due
        func consider(_ due: Duration) {
            if next.map({ due < $0 }) ?? true { next = due }
        }
        // Of services whose plain workers are silent at work.
        var hasRoom: [Frame: Bool] = [:]
        for worker in workers.values {
            consider(worker.lastSent + worker.options.heartbeatInterval)
            let expiry = expiry(of: worker)
            guard next.map({ expiry < $0 }) ?? true else { continue }
            guard isWorkingPlainly(worker) else {
                consider(expiry)
                continue
            }
            let room = hasRoom[worker.service] ?? hasWorkerWithRoom(for: worker.service)
            hasRoom[worker.service] = room
            if room, canLoseRequests(worker) { consider(expiry) }
        }
        if let due = pendingDropReports.due { consider(due) }
        return next
    }

    private mutating func recordSilence(of peer: PeerID) {
        guard let worker = workers[peer], !worker.isDraining else { return }
        lostWorkers.recordSilence(
            of: peer,
            LostWorkers.Silence(
                service: worker.service, instance: worker.options.instance, lastHeard: worker.lastHeard))
    }

    private func expiry(of worker: Worker) -> Duration {
        worker.lastHeard + worker.silenceLimit
    }

    /// A plain worker may be too busy for heartbeats, as that of the ZeroMQ guide is: it keeps its request while no other
    /// worker could take it.
    private func isWorkingPlainly(_ worker: Worker) -> Bool {
        !worker.isOurs && worker.inFlight.keys.contains { entries[$0] != nil }
    }

    /// Whether another worker may have the requests of this one: else they would end without an answer.
    private func canLoseRequests(_ worker: Worker) -> Bool {
        worker.inFlight.keys.compactMap { entries[$0] }.allSatisfy(mayBeRedelivered)
    }

    private func hasWorkerWithRoom(for service: Frame) -> Bool {
        services[service]?.workers.contains { workers[$0]?.hasRoom == true } ?? false
    }

    /// Ends expired entries, removes silent workers and sends heartbeats.
    public mutating func ticked(at now: Duration, _ actions: inout [Action]) {
        detectSuspension(until: now)
        defer { tickDue = nextDeadline }
        // Timers of ended entries are removed too, otherwise each of them would cause a tick.
        while let timer = timers.min, timer.due <= now || entries[timer.entry] == nil {
            timers.removeMin()
            handleReminder(timer, at: now, &actions)
        }
        // In a fixed order, so that a simulation repeats itself.
        let silent = workers.filter { expiry(of: $0.value) <= now }.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let working = silent.filter { workers[$0].map(isWorkingPlainly) == true }
        removeSilent(silent.filter { !working.contains($0) }, at: now, &actions)
        for peer in working
        where workers[peer].map({ hasWorkerWithRoom(for: $0.service) && canLoseRequests($0) }) == true {
            removeSilent([peer], at: now, &actions)
        }
        let waiting = workers.filter { $0.value.lastSent + $0.value.options.heartbeatInterval <= now }
        for (peer, worker) in waiting.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            workers[peer]?.lastSent = now
            send(.heartbeat(extra: []), to: peer, worker.version, &actions)
        }
        reportDrops(at: now, &actions)
    }

    private mutating func removeSilent(_ peers: [PeerID], at now: Duration, _ actions: inout [Action]) {
        // A connection that the broker itself ends says nothing about a crash.
        for peer in peers where !hasOwnIdentity(peer) { recordAbsence(of: peer, undeliveredSince: now, at: now) }
        for peer in peers { recordSilence(of: peer) }
        // Mark all of them first: the requests of one must not be redelivered to another silent worker.
        for peer in peers { workers[peer]?.isDraining = true }
        for peer in peers {
            removeWorker(peer, reason: .silent, at: now, &actions)
            if hasOwnIdentity(peer) { actions.append(.end(peer)) }
        }
    }

    /// Whether the peer has chosen its identity, which a ROUTER takes from no second connection: those that libzmq
    /// makes begin with a zero, and are never used again.
    private func hasOwnIdentity(_ peer: PeerID) -> Bool { peer.first != 0 }

    /// When the broker itself was suspended until now (a stopped process, an overloaded machine), messages of its
    /// workers may be unread, so their silence is no evidence of loss: each worker gets one more interval.
    mutating func detectSuspension(until now: Duration) {
        guard let due = tickDue, now - due > timing.suspension else { return }
        // The tick is still to come; until then this is the same suspension.
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

    private mutating func handleReminder(_ timer: EntryTimer, at now: Duration, _ actions: inout [Action]) {
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

    /// Sets the entry's next reminder: its deadline, or the end of the grace period for a first worker.
    mutating func setTimer(for id: UInt64) {
        guard let index = entries.index(forKey: id) else { return }
        let entry = entries.values[index]
        var due = entry.deadline
        if entry.state == .queued, let end = endOfGrace(for: entry) { due = min(due, end) }
        // An earlier reminder sets the next one when it is due: repeated registrations must not accumulate reminders.
        if let reminder = entry.reminder, reminder <= due { return }
        entries.values[index].reminder = due
        timers.insert(EntryTimer(due: due, entry: id))
        forgetStaleTimers()
    }

    /// Most entries end long before their deadline: without this, their reminders would accumulate until then.
    private mutating func forgetStaleTimers() {
        guard timers.count > 4 * entries.count + 1024 else { return }
        timers = Heap(timers.unordered.filter { entries[$0.entry] != nil })
    }

    func endOfGrace(for entry: Entry) -> Duration? {
        // A plain client gets no refusal: its request waits for a worker until its deadline.
        guard entry.control != nil, let since = services[entry.service]?.workerlessSince else { return nil }
        return max(since, entry.arrivedAt) + timing.noWorkerGrace
    }
}
