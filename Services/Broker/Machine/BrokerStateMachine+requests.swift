internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    /// A client's request for a service.
    mutating func handleRequest(
        _ service: Frame, _ body: MessageBody, by client: Client, at now: Duration, _ actions: inout [Action]
    ) {
        var time = timing.plainDeadline
        if let control = body.control {
            guard entryByRequest[RequestKey(client: client.peer, id: control.id)] == nil else {
                return drop(.duplicate, at: now, &actions)
            }
            time = min(.milliseconds(Int64(control.remainingMilliseconds)), timing.maxRemaining)
        }
        admit(
            Entry(client: client, service: service, body: body, arrivedAt: now, deadline: now + time), at: now,
            &actions)
    }

    /// A client's request with our magic but an unreadable control frame.
    mutating func refuseMalformedControl(
        in body: MessageBody, service: Frame, by client: Client, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.malformed, .control, at: now, &actions)
        let control = ControlFrame.id(in: body.content.first).map { ControlFrame(id: $0) }
        actions.append(refusal(.malformed, control: control, service: service, to: client))
    }

    private mutating func admit(_ new: Entry, at now: Duration, _ actions: inout [Action]) {
        guard new.deadline > now else { return refuse(new, .expired, &actions) }
        var entry = new
        let standing = standing(of: &entry, at: now)
        guard standing != .quarantined else { return refuse(entry, .workerLost, &actions) }
        entry.isSuspect = standing == .suspect
        let peer = workerWithRoom(for: entry)
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
        if entry.isSuspect {
            entries[id] = entry
            if services[entry.service] == nil { services[entry.service] = Service(workerlessSince: now) }
            suspects[entry.service, default: SuspectList()].insert(id, bytes: entry.byteCount)
            dispatchSuspect(of: entry.service, at: now, &actions)
        } else if let peer {
            // A worker with room implies an empty queue.
            dispatch(id, entry, to: peer, at: now, &actions)
        } else {
            entries[id] = entry
            services[entry.service, default: Service(workerlessSince: now)].queue
                .append(id, of: entry.client.peer, bytes: entry.byteCount)
        }
        setTimer(for: id)
    }

    /// Dispatches waiting entries to workers with room, least recently used worker first.
    mutating func dispatch(_ service: Frame, at now: Duration, _ actions: inout [Action]) {
        while services[service]?.queue.isEmpty == false, let peer = workerWithRoom(for: service),
            let id = services[service]?.queue.popFirst()
        {
            guard let entry = entries[id] else { continue }
            services[service]?.queue.release(bytes: entry.byteCount)
            if entry.deadline <= now {
                end(id, with: .expired, &actions)
            } else {
                dispatch(id, entry, to: peer, at: now, &actions)
            }
        }
        if !suspects.isEmpty { dispatchSuspect(of: service, at: now, &actions) }
    }

    private func workerWithRoom(for service: Frame) -> PeerID? {
        leastUsedWorker(of: service, except: isolatedWorker(of: service), where: \.hasRoom)
    }

    /// A worker that can take a new entry at once.
    private func workerWithRoom(for entry: Entry) -> PeerID? {
        guard entry.isSuspect else { return workerWithRoom(for: entry.service) }
        // If there is another suspect, it has the idle worker reserved or is in flight.
        return suspects[entry.service] == nil ? leastUsedWorker(of: entry.service, where: \.inFlight.isEmpty) : nil
    }

    mutating func dispatch(
        _ id: UInt64, _ waiting: Entry, to peer: PeerID, at now: Duration, _ actions: inout [Action]
    ) {
        guard let place = workers.index(forKey: peer) else { return }
        var entry = waiting
        let waited = now - entry.queuedSince
        entry.state = .dispatched(to: peer)
        entry.dispatchedAt = now
        entry.attempts += 1
        entry.queuedTotal += waited
        entries[id] = entry
        lastUse += 1
        workers.values[place].begin(id, attempt: entry.attempts, use: lastUse, at: now)

        var body = entry.stamped(entry.body)
        body.control?.remainingMilliseconds = UInt32(clamping: (entry.deadline - now).milliseconds)
        let ticket = Ticket(epoch: epoch, entry: id, attempt: entry.attempts)
        actions.append(.send(to: peer, .dispatch(workers.values[place].version, ticket, body)))
        actions.append(
            .note(
                .dispatched(
                    id: entry.control?.id, service: entry.serviceName,
                    instance: workers.values[place].options.instance, attempt: Int(entry.attempts), queued: waited)))
    }

    /// Removes the entry from the ledger. A worker that has it stays busy until it answers.
    mutating func remove(_ id: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        releaseLedgerRoom(of: entry)
        if let request = entry.control?.id {
            entryByRequest[RequestKey(client: entry.client.peer, id: request)] = nil
        }
        if entry.state == .queued {
            if entry.isSuspect {
                suspects[entry.service]?.remove(id, bytes: entry.byteCount)
                forgetIdleSuspects(of: entry.service)
            } else {
                services[entry.service]?.queue.remove(id, of: entry.client.peer, bytes: entry.byteCount)
            }
            forgetIfIdle(entry.service)
        }
        return entry
    }

    /// Ends an entry with a refusal instead of a worker's answer.
    mutating func end(_ id: UInt64, with refusal: Refusal, _ actions: inout [Action]) {
        if case .dispatched(let peer) = entries[id]?.state, workers[peer] != nil {
            // Only the charge is kept until the worker has finished, not the body.
            let charge = charge(of: id)
            workers.modify(peer) { $0.ended[id] = charge }
        }
        if let entry = remove(id) { refuse(entry, refusal, &actions) }
    }

    private mutating func refuse(_ entry: Entry, _ refusal: Refusal, _ actions: inout [Action]) {
        counters.refused[refusal, default: 0] += 1
        actions.append(.note(.refused(id: entry.control?.id, service: entry.serviceName, refusal)))
        // A plain client would read our refusal as an answer; by RFC 7 it gets nothing and retries.
        guard let control = entry.stamped(entry.body).control else { return }
        actions.append(self.refusal(refusal, control: control, service: entry.service, to: entry.client))
    }

    private func refusal(_ refusal: Refusal, control: ControlFrame?, service: Frame, to client: Client) -> Action {
        var control = control ?? ControlFrame(id: RequestID(query: 0, call: 0))
        control.flags = .refused
        let body = MessageBody(control: control, content: [Frame(text: refusal.rawValue)])
        return .send(to: client.peer, .client(client.version, .final(service: service, body: body)))
    }

    /// Removes a service without workers and requests: its name came from outside, so it must not stay in memory.
    mutating func forgetIfIdle(_ service: Frame) {
        guard let record = services[service], record.workers.isEmpty, record.queue.isEmpty, suspects[service] == nil
        else { return }
        services[service] = nil
    }
}
