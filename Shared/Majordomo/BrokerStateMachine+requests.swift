internal import HeapModule

extension BrokerStateMachine {
    /// A client's request for a service.
    mutating func requested(_ service: Frame, body: [Frame], by client: Client, at now: Duration) -> [Action] {
        counters.requests += 1
        switch ControlFrame.read(body.first) {
        case .malformed:
            return [drop(.malformed), refusal(.malformed, control: nil, service: service, to: client)]
        case .plain:
            return admit(service, control: nil, content: body, by: client, at: now)
        case .control(let control):
            guard entryByRequest[RequestKey(client: client.peer, id: control.id)] == nil else {
                return [drop(.duplicate)]
            }
            return admit(service, control: control, content: Array(body.dropFirst()), by: client, at: now)
        }
    }

    private mutating func admit(
        _ service: Frame, control: ControlFrame?, content: [Frame], by client: Client, at now: Duration
    ) -> [Action] {
        let remaining = control.map { Duration.milliseconds(Int64($0.remainingMilliseconds)) } ?? timing.plainDeadline
        let entry = Entry(
            client: client, service: service, control: control, content: content, arrivedAt: now,
            deadline: now + remaining, queuedSince: now)
        guard remaining > .zero else { return refused(entry, .expired) }
        let queue = services[service]?.queue ?? FairQueue()
        guard queue.count < timing.queueEntries, queue.byteCount + entry.byteCount <= timing.queueBytes,
            queue.count(of: client.peer) < timing.clientEntries
        else { return refused(entry, .overloaded) }

        lastEntry += 1
        entries[lastEntry] = entry
        if let id = control?.id { entryByRequest[RequestKey(client: client.peer, id: id)] = lastEntry }
        services[service, default: Service(unmannedSince: now)].queue
            .append(lastEntry, of: client.peer, bytes: entry.byteCount)
        setTimer(for: lastEntry)
        return [.note(.queued(id: control?.id, service: service.text))] + dispatch(service, at: now)
    }

    /// Hands waiting entries to workers with room, least recently used worker first.
    mutating func dispatch(_ service: Frame, at now: Duration) -> [Action] {
        var actions: [Action] = []
        while let peer = workerWithRoom(for: service), let id = services[service]?.queue.popFirst() {
            guard let entry = entries[id] else { continue }
            services[service]?.queue.release(bytes: entry.byteCount)
            actions += entry.deadline <= now ? end(id, with: .expired) : handOut(id, to: peer, at: now)
        }
        return actions
    }

    private func workerWithRoom(for service: Frame) -> PeerID? {
        services[service]?.workers
            .filter { workers[$0]?.hasRoom == true }
            .min { (workers[$0]?.lastUse ?? 0) < (workers[$1]?.lastUse ?? 0) }
    }

    private mutating func handOut(_ id: UInt64, to peer: PeerID, at now: Duration) -> [Action] {
        guard var entry = entries[id], var worker = workers[peer] else { return [] }
        let waited = now - entry.queuedSince
        entry.state = .handedOut(to: peer)
        entry.attempts += 1
        entry.queuedTotal += waited
        entries[id] = entry
        lastUse += 1
        worker.lastUse = lastUse
        worker.inFlight[id] = entry.attempts
        worker.lastSent = now
        workers[peer] = worker

        var control = entry.control
        control?.remainingMilliseconds = UInt32(clamping: (entry.deadline - now).milliseconds)
        control?.attempts = entry.attempts
        control?.queuedMicroseconds = UInt32(clamping: entry.queuedTotal.microseconds)
        let ticket = Ticket(epoch: epoch, entry: id, attempt: entry.attempts)
        let body = (control.map { [$0.encoded()] } ?? []) + entry.content
        return send(.request(ticket: ticket.encoded, body: body), to: peer, worker.version) + [
            .note(
                .handedOut(
                    id: entry.control?.id, service: entry.service.text, instance: worker.options.instance,
                    attempt: Int(entry.attempts), queued: waited))
        ]
    }

    /// Takes the entry out of the ledger. A worker that has it is busy with it until it answers, all the same.
    mutating func remove(_ id: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        if let request = entry.control?.id {
            entryByRequest[RequestKey(client: entry.client.peer, id: request)] = nil
        }
        if entry.state == .queued {
            services[entry.service]?.queue.remove(id, of: entry.client.peer, bytes: entry.byteCount)
            forgetIfIdle(entry.service)
        }
        return entry
    }

    /// Ends an entry without an answer of a worker.
    mutating func end(_ id: UInt64, with refusal: Refusal) -> [Action] {
        remove(id).map { refused($0, refusal) } ?? []
    }

    private mutating func refused(_ entry: Entry, _ refusal: Refusal) -> [Action] {
        counters.refused[refusal, default: 0] += 1
        let note = Action.note(.refused(id: entry.control?.id, service: entry.service.text, refusal))
        // A plain client would take our error for an answer; by RFC 7 it hears nothing and tries again.
        guard var control = entry.control else { return [note] }
        control.attempts = entry.attempts
        control.queuedMicroseconds = UInt32(clamping: entry.queuedTotal.microseconds)
        return [note, self.refusal(refusal, control: control, service: entry.service, to: entry.client)]
    }

    private func refusal(_ refusal: Refusal, control: ControlFrame?, service: Frame, to client: Client) -> Action {
        var control = control ?? ControlFrame(id: RequestID(query: 0, call: 0))
        control.flags = .refused
        let body = [control.encoded(), Frame(text: refusal.rawValue)]
        return .send(to: client.peer, ClientMessage.final(service: service, body: body).encoded(client.version))
    }

    /// Sets the entry's next reminder: its deadline, or the end of its wait for a first worker.
    mutating func setTimer(for id: UInt64) {
        guard let entry = entries[id] else { return }
        var due = entry.deadline
        if entry.state == .queued, let end = endOfGrace(for: entry) { due = min(due, end) }
        timers.insert(EntryTimer(due: due, entry: id))
    }

    func endOfGrace(for entry: Entry) -> Duration? {
        // A plain client would not hear that there is no worker: its request waits for one until its deadline.
        guard entry.control != nil, let since = services[entry.service]?.unmannedSince else { return nil }
        return max(since, entry.arrivedAt) + timing.noWorkerGrace
    }

    /// Forgets a service that nobody serves and nobody waits for: its name came from outside.
    mutating func forgetIfIdle(_ service: Frame) {
        guard let record = services[service], record.workers.isEmpty, record.queue.count == 0 else { return }
        services[service] = nil
    }
}
