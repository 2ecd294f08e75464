extension BrokerStateMachine {
    /// A client's request for a service.
    mutating func requested(
        _ service: Frame, _ control: ControlFrame?, body: [Frame], by client: Client, at now: Duration,
        _ actions: inout [Action]
    ) {
        guard let control else {
            return admit(
                Entry(
                    client: client, service: service, serviceName: service.text, control: nil, content: body,
                    arrivedAt: now, deadline: now + timing.plainDeadline),
                at: now, &actions)
        }
        guard entryByRequest[RequestKey(client: client.peer, id: control.id)] == nil else {
            return drop(.duplicate, at: now, &actions)
        }
        admit(
            Entry(
                client: client, service: service, serviceName: service.text, control: control,
                content: Array(body.dropFirst()), arrivedAt: now,
                deadline: now + min(.milliseconds(Int64(control.remainingMilliseconds)), timing.maxRemaining)),
            at: now, &actions)
    }

    /// A client's request that names itself as one of ours and cannot be read.
    mutating func malformedControl(
        in body: [Frame], service: Frame, by client: Client, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.malformed, .control, at: now, &actions)
        let control = ControlFrame.id(in: body.first).map { ControlFrame(id: $0) }
        actions.append(refusal(.malformed, control: control, service: service, to: client))
    }

    private mutating func admit(_ entry: Entry, at now: Duration, _ actions: inout [Action]) {
        guard entry.deadline > now else { return refuse(entry, .expired, &actions) }
        let peer = workerWithRoom(for: entry.service)
        guard hasLedgerRoom(for: entry), peer != nil || hasQueueRoom(for: entry, at: now) else {
            return refuse(entry, .overloaded, &actions)
        }

        lastEntry += 1
        let id = lastEntry
        takeLedgerRoom(for: entry)
        if let request = entry.control?.id {
            entryByRequest[RequestKey(client: entry.client.peer, id: request)] = id
        }
        actions.append(.note(.queued(id: entry.control?.id, service: entry.serviceName)))
        if let peer {
            // Whoever has room has left nothing in the queue.
            handOut(id, entry, to: peer, at: now, &actions)
        } else {
            entries[id] = entry
            services[entry.service, default: Service(unmannedSince: now)].queue
                .append(id, of: entry.client.peer, bytes: entry.byteCount)
        }
        setTimer(for: id)
    }

    /// Hands waiting entries to workers with room, least recently used worker first.
    mutating func dispatch(_ service: Frame, at now: Duration, _ actions: inout [Action]) {
        while services[service]?.queue.isEmpty == false, let peer = workerWithRoom(for: service),
            let id = services[service]?.queue.popFirst()
        {
            guard let entry = entries[id] else { continue }
            services[service]?.queue.release(bytes: entry.byteCount)
            if entry.deadline <= now {
                end(id, with: .expired, &actions)
            } else {
                handOut(id, entry, to: peer, at: now, &actions)
            }
        }
    }

    private func workerWithRoom(for service: Frame) -> PeerID? {
        guard let peers = services[service]?.workers else { return nil }
        var best: (peer: PeerID, lastUse: UInt64)?
        for peer in peers {
            guard let worker = workers[peer], worker.hasRoom else { continue }
            if let best, best.lastUse < worker.lastUse { continue }
            best = (peer, worker.lastUse)
        }
        return best?.peer
    }

    private mutating func handOut(
        _ id: UInt64, _ waiting: Entry, to peer: PeerID, at now: Duration, _ actions: inout [Action]
    ) {
        guard let place = workers.index(forKey: peer) else { return }
        var entry = waiting
        let waited = now - entry.queuedSince
        entry.state = .handedOut(to: peer)
        entry.handedOutAt = now
        entry.attempts += 1
        entry.queuedTotal += waited
        entries[id] = entry
        lastUse += 1
        workers.values[place].began(id, attempt: entry.attempts, use: lastUse, at: now)

        var body: [Frame] = []
        body.reserveCapacity(entry.content.count + 1)
        if var control = entry.control {
            control.remainingMilliseconds = UInt32(clamping: (entry.deadline - now).milliseconds)
            control.attempts = entry.attempts
            control.queuedMicroseconds = UInt32(clamping: entry.queuedTotal.microseconds)
            body.append(control.encoded())
        }
        body.append(contentsOf: entry.content)
        let ticket = Ticket(epoch: epoch, entry: id, attempt: entry.attempts)
        send(.request(ticket: ticket.encoded, body: body), to: peer, workers.values[place].version, &actions)
        actions.append(
            .note(
                .handedOut(
                    id: entry.control?.id, service: entry.serviceName,
                    instance: workers.values[place].options.instance, attempt: Int(entry.attempts), queued: waited)))
    }

    /// Takes the entry out of the ledger. A worker that has it is busy with it until it answers, all the same.
    mutating func remove(_ id: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        giveLedgerRoom(of: entry)
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
    mutating func end(_ id: UInt64, with refusal: Refusal, _ actions: inout [Action]) {
        if let entry = remove(id) { refuse(entry, refusal, &actions) }
    }

    private mutating func refuse(_ entry: Entry, _ refusal: Refusal, _ actions: inout [Action]) {
        counters.refused[refusal, default: 0] += 1
        actions.append(.note(.refused(id: entry.control?.id, service: entry.serviceName, refusal)))
        // A plain client would take our error for an answer; by RFC 7 it hears nothing and tries again.
        guard var control = entry.control else { return }
        control.attempts = entry.attempts
        control.queuedMicroseconds = UInt32(clamping: entry.queuedTotal.microseconds)
        actions.append(self.refusal(refusal, control: control, service: entry.service, to: entry.client))
    }

    private func refusal(_ refusal: Refusal, control: ControlFrame?, service: Frame, to client: Client) -> Action {
        var control = control ?? ControlFrame(id: RequestID(query: 0, call: 0))
        control.flags = .refused
        let body = [control.encoded(), Frame(text: refusal.rawValue)]
        return .send(to: client.peer, ClientMessage.final(service: service, body: body).encoded(client.version))
    }

    /// Forgets a service that nobody serves and nobody waits for: its name came from outside.
    mutating func forgetIfIdle(_ service: Frame) {
        guard let record = services[service], record.workers.isEmpty, record.queue.isEmpty else { return }
        services[service] = nil
    }
}
