extension BrokerStateMachine {
    /// The extra frame of a worker's HEARTBEAT that asks for no more hand-outs, and of the broker's that grants it: what
    /// the worker has by then is all that it gets.
    public static let drainFrame = Frame(text: "drain")

    mutating func workerSent(
        _ message: WorkerMessage, _ version: MajordomoVersion, from peer: PeerID, at now: Duration
    ) -> [Action] {
        // Any traffic counts as a heartbeat.
        workers[peer]?.lastHeard = now
        switch message {
        case .ready(let service, let extra):
            return joined(peer, version, service: service, extra: extra, at: now)
        case .heartbeat(let extra):
            guard workers[peer] != nil else { return unregistered(peer, version) }
            guard extra.first == Self.drainFrame else { return [] }
            workers[peer]?.isDraining = true
            workers[peer]?.lastSent = now
            return send(.heartbeat(extra: [Self.drainFrame]), to: peer, version)
        case .disconnect:
            return removeWorker(peer, reason: .disconnected, at: now)
        case .partial(let ticket, let body):
            return replied(ticket, body, isFinal: false, from: peer, version, at: now)
        case .final(let ticket, let body):
            return replied(ticket, body, isFinal: true, from: peer, version, at: now)
        case .request:
            // A valid command, but never a worker's: the RFCs have the broker answer it with DISCONNECT.
            return [drop(.malformed)] + removeWorker(peer, reason: .expelled, at: now)
                + send(.disconnect(extra: []), to: peer, version)
        }
    }

    private mutating func joined(
        _ peer: PeerID, _ version: MajordomoVersion, service: Frame, extra: [Frame], at now: Duration
    ) -> [Action] {
        // A second READY on one connection is a protocol error, and `mmi.…` belongs to the broker.
        guard workers[peer] == nil, !service.starts(with: Self.managementPrefix) else {
            return removeWorker(peer, reason: .expelled, at: now) + send(.disconnect(extra: []), to: peer, version)
        }
        let agreed = version == .v02 ? extra.first.flatMap(WorkerOptions.init) : nil
        let options =
            agreed
            ?? WorkerOptions(
                instance: Self.plainInstance(of: service, peer), capacity: 1,
                heartbeatInterval: timing.plainHeartbeatInterval)
        var actions = expelDouble(of: options.instance, at: now)
        let others = services[service]?.workers ?? []
        if !others.isEmpty, options.isExclusive || others.contains(where: { workers[$0]?.options.isExclusive == true })
        {
            let note = LedgerEvent.workerRefused(
                service: service.text, instance: options.instance, reason: "exclusive")
            let reason = agreed == nil ? [] : [Frame(text: "exclusive")]
            return actions + send(.disconnect(extra: reason), to: peer, version) + [.note(note)]
        }
        lastUse += 1
        let worker = Worker(
            version: version, service: service, options: options, isOurs: agreed != nil, lastHeard: now, lastSent: now,
            lastUse: lastUse, joinedAt: now)
        workers[peer] = worker
        expectTick(of: worker, at: now)
        services[service, default: Service()].workers.append(peer)
        services[service]?.unmannedSince = nil
        if agreed != nil { actions += send(.heartbeat(extra: [options.encoded]), to: peer, version) }
        let note = LedgerEvent.workerJoined(
            service: service.text, instance: options.instance, capacity: options.capacity)
        return actions + [.note(note)] + dispatch(service, at: now)
    }

    /// A name for a worker that has none: another one for every peer, or one would expel the other.
    private static func plainInstance(of service: Frame, _ peer: PeerID) -> String {
        let digits = peer.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "\(service.text)/plain-\(digits.joined())"
    }

    private mutating func expelDouble(of instance: String, at now: Duration) -> [Action] {
        guard let (peer, worker) = workers.first(where: { $0.value.options.instance == instance }) else { return [] }
        return send(.disconnect(extra: []), to: peer, worker.version)
            + removeWorker(peer, reason: .expelled, at: now)
    }

    private mutating func replied(
        _ frame: Frame, _ body: [Frame], isFinal: Bool, from peer: PeerID, _ version: MajordomoVersion,
        at now: Duration
    ) -> [Action] {
        guard workers[peer] != nil else { return unregistered(peer, version) }
        guard let ticket = Ticket(frame), ticket.epoch == epoch, let entry = entries[ticket.entry],
            entry.state == .handedOut(to: peer), entry.attempts == ticket.attempt
        else { return [drop(.staleTicket)] + (isFinal ? freed(frame, of: peer, at: now) : []) }

        guard isFinal else {
            // A 0.1 client knows no PARTIAL: it gets the final reply only.
            guard entry.client.version == .v02 else { return [] }
            entries[ticket.entry]?.hasForwardedPartial = true
            let message = ClientMessage.partial(service: entry.service, body: stamped(body, of: entry))
            return [.send(to: entry.client.peer, message.encoded(.v02))]
        }
        _ = remove(ticket.entry)
        workers[peer]?.inFlight[ticket.entry] = nil
        counters.answered += 1
        workers[peer]?.served += 1
        let message = ClientMessage.final(service: entry.service, body: stamped(body, of: entry))
        return [
            .send(to: entry.client.peer, message.encoded(entry.client.version)),
            .note(
                .answered(
                    id: entry.control?.id, service: entry.service.text,
                    instance: workers[peer]?.options.instance ?? "", took: now - entry.arrivedAt)),
        ] + dispatch(entry.service, at: now)
    }

    /// A worker has answered what nobody waits for any more: it has room again.
    private mutating func freed(_ frame: Frame, of peer: PeerID, at now: Duration) -> [Action] {
        guard let ticket = Ticket(frame), ticket.epoch == epoch, entries[ticket.entry] == nil,
            workers[peer]?.inFlight[ticket.entry] == ticket.attempt, let service = workers[peer]?.service
        else { return [] }
        workers[peer]?.inFlight[ticket.entry] = nil
        return dispatch(service, at: now)
    }

    /// Writes what the broker knows into a reply's control frame.
    private func stamped(_ body: [Frame], of entry: Entry) -> [Frame] {
        guard case .control(var control) = ControlFrame.read(body.first) else { return body }
        control.attempts = entry.attempts
        control.queuedMicroseconds = UInt32(clamping: entry.queuedTotal.microseconds)
        return [control.encoded()] + body.dropFirst()
    }

    private mutating func unregistered(_ peer: PeerID, _ version: MajordomoVersion) -> [Action] {
        [drop(.unregistered)] + send(.disconnect(extra: []), to: peer, version)
    }

    /// Forgets a worker: what it had in flight goes to another, or fails at once.
    mutating func removeWorker(_ peer: PeerID, reason: WorkerLeaveReason, at now: Duration) -> [Action] {
        guard let worker = workers.removeValue(forKey: peer) else { return [] }
        services[worker.service]?.workers.removeAll { $0 == peer }
        if services[worker.service]?.workers.isEmpty == true { services[worker.service]?.unmannedSince = now }
        var actions: [Action] = [
            .note(
                .workerLeft(service: worker.service.text, instance: worker.options.instance, reason: reason))
        ]
        // Newest first, since each goes in front of the queue: the oldest is handed out first again.
        for id in worker.inFlight.keys.sorted(by: >) {
            actions += lost(id, by: worker, at: now)
        }
        for id in services[worker.service]?.queue.entries ?? [] { setTimer(for: id) }
        actions += dispatch(worker.service, at: now)
        forgetIfIdle(worker.service)
        return actions
    }

    private mutating func lost(_ id: UInt64, by worker: Worker, at now: Duration) -> [Action] {
        guard var entry = entries[id] else { return [] }
        guard entry.isIdempotent, entry.attempts < timing.maxAttempts, !entry.hasForwardedPartial else {
            return end(id, with: .workerLost)
        }
        entry.state = .queued
        entry.queuedSince = now
        entries[id] = entry
        counters.handOvers += 1
        services[entry.service]?.queue.restore(id, of: entry.client.peer, bytes: entry.byteCount)
        return [
            .note(
                .handedOver(
                    id: entry.control?.id, service: entry.service.text, instance: worker.options.instance))
        ]
    }

    func send(_ message: WorkerMessage, to peer: PeerID, _ version: MajordomoVersion) -> [Action] {
        message.encoded(version).map { [.send(to: peer, $0)] } ?? []
    }
}
