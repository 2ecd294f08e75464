internal import Majordomo
internal import MessageBus

extension BrokerStateMachine {
    mutating func handleWorkerMessage(
        _ message: WorkerMessage, _ version: MajordomoVersion, from peer: PeerID, at now: Duration,
        _ actions: inout [Action]
    ) {
        // Any traffic counts as a heartbeat.
        workers.modify(peer) { $0.lastHeard = now }
        switch message {
        case .ready(let service, let extra):
            register(peer, version, service: service, extra: extra, at: now, &actions)
        case .heartbeat(let extra):
            counters.received.increment(.workerHeartbeat)
            guard workers[peer] != nil else { return rejectUnregistered(peer, version, at: now, &actions) }
            guard extra.first == WorkerMessage.drainFrame else { return }
            workers[peer]?.isDraining = true
            workers[peer]?.lastSent = now
            send(.heartbeat(extra: [WorkerMessage.drainFrame]), to: peer, version, &actions)
            reserveAnotherWorker(insteadOf: peer, at: now, &actions)
        case .disconnect:
            counters.received.increment(.workerDisconnect)
            removeWorker(peer, reason: .disconnected, at: now, &actions)
        case .partial(let ticket, let body):
            counters.received.increment(.workerPartial)
            handleReply(ticket, body, isFinal: false, from: peer, version, at: now, &actions)
        case .final(let ticket, let body):
            counters.received.increment(.workerFinal)
            handleReply(ticket, body, isFinal: true, from: peer, version, at: now, &actions)
        case .request:
            // A valid command, but never sent by a worker: by the RFCs the broker answers it with DISCONNECT.
            drop(.malformed, .workerCommand, at: now, &actions)
            expel(peer, version, at: now, &actions)
        }
    }

    /// Its key is not that of a worker of this service.
    mutating func refuseRegistration(
        of service: Frame, _ version: MajordomoVersion, by peer: PeerID, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.forbidden, at: now, &actions)
        // It may have registered its own service before, and takes itself for disconnected from now on.
        expel(peer, version, for: version == .v02 ? .forbidden : nil, at: now, &actions)
        actions.append(.note(.workerRefused(service: service.text, instance: "", reason: "forbidden")))
    }

    private mutating func register(
        _ peer: PeerID, _ version: MajordomoVersion, service: Frame, extra: [Frame], at now: Duration,
        _ actions: inout [Action]
    ) {
        // A second READY on one connection is a protocol error, and `mmi.…` belongs to the broker.
        let isReserved = service.starts(with: ManagementService.prefix)
        guard workers[peer] == nil, !isReserved else {
            drop(.malformed, isReserved ? .workerService : .workerOrder, at: now, &actions)
            return expel(peer, version, at: now, &actions)
        }
        counters.received.increment(.workerReady)
        let agreed = version == .v02 ? extra.first.flatMap(WorkerOptions.init) : nil
        let options =
            agreed
            ?? WorkerOptions(
                instance: Self.plainInstance(of: service, peer), capacity: 1,
                heartbeatInterval: timing.plainHeartbeatInterval)
        lostWorkers.forgetSilence(ofInstance: options.instance)
        handleReturn(of: options, to: service, at: now, &actions)
        expelDuplicate(of: options, at: now, &actions)
        let others = services[service]?.workers ?? []
        if !others.isEmpty, options.isExclusive || others.contains(where: { workers[$0]?.options.isExclusive == true })
        {
            let reason = agreed == nil ? [] : [WorkerDismissal.exclusive.frame]
            send(.disconnect(extra: reason), to: peer, version, &actions)
            actions.append(
                .note(.workerRefused(service: service.text, instance: options.instance, reason: "exclusive")))
            return
        }
        lastUse += 1
        let worker = Worker(
            version: version, service: service, options: options, isOurs: agreed != nil,
            silenceLimit: options.heartbeatInterval * timing.liveness, lastHeard: now, lastSent: now, lastUse: lastUse,
            joinedAt: now)
        workers[peer] = worker
        expectTick(of: worker, at: now)
        services[service, default: Service()].workers.append(peer)
        services[service]?.workerlessSince = nil
        if agreed != nil { send(.heartbeat(extra: [options.encoded]), to: peer, version, &actions) }
        actions.append(
            .note(
                .workerJoined(service: service.text, instance: options.instance, capacity: options.capacity)))
        dispatch(service, at: now, &actions)
    }

    /// A name for a worker without options, different for every peer: equal names would expel each other.
    private static func plainInstance(of service: Frame, _ peer: PeerID) -> String {
        let digits = peer.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "\(service.text)/plain-\(digits.joined())"
    }

    private mutating func expelDuplicate(of options: WorkerOptions, at now: Duration, _ actions: inout [Action]) {
        guard let (peer, worker) = workers.first(where: { $0.value.options.instance == options.instance })
        else { return }
        // An earlier connection of the same process may still deliver messages: that must not dismiss the process.
        let reason = worker.options.isOfAnotherProcess(than: options) ? WorkerDismissal.doubled : nil
        expel(peer, worker.version, for: reason, at: now, &actions)
    }

    mutating func expel(
        _ peer: PeerID, _ version: MajordomoVersion, for reason: WorkerDismissal? = nil, at now: Duration,
        _ actions: inout [Action]
    ) {
        send(.disconnect(extra: reason.map { [$0.frame] } ?? []), to: peer, version, &actions)
        removeWorker(peer, reason: .expelled, at: now, &actions)
    }

    private mutating func handleReply(
        _ frame: Frame, _ body: MessageBody, isFinal: Bool, from peer: PeerID, _ version: MajordomoVersion,
        at now: Duration, _ actions: inout [Action]
    ) {
        guard let worker = workers.index(forKey: peer) else {
            return rejectUnregistered(peer, version, at: now, &actions)
        }
        guard let ticket = Ticket(frame), ticket.epoch == epoch, let entry = entries[ticket.entry],
            entry.state == .dispatched(to: peer), entry.attempts == ticket.attempt
        else {
            drop(.staleTicket, at: now, &actions)
            if isFinal { freeCapacity(for: frame, of: peer, at: now, &actions) }
            return
        }
        guard isFinal else {
            // Version 0.1 has no PARTIAL for clients: the client gets the final reply only.
            guard entry.client.version == .v02 else { return }
            entries.modify(ticket.entry) { $0.hasForwardedPartial = true }
            let message = ClientMessage.partial(service: entry.service, body: entry.stamped(body))
            return actions.append(.send(to: entry.client.peer, .client(.v02, message)))
        }
        let instance = workers.values[worker].options.instance
        workers.values[worker].finish(ticket.entry)
        _ = remove(ticket.entry)
        endSuspect(ticket.entry, in: entry.service, at: peer)
        exonerate(entry, at: now, &actions)
        services.modify(entry.service) { $0.record(work: now - entry.dispatchedAt) }
        counters.answered += 1
        let message = ClientMessage.final(service: entry.service, body: entry.stamped(body))
        actions.append(.send(to: entry.client.peer, .client(entry.client.version, message)))
        actions.append(
            .note(
                .answered(
                    id: entry.control?.id, service: entry.serviceName, instance: instance,
                    took: now - entry.arrivedAt)))
        dispatch(entry.service, at: now, &actions)
    }

    /// A worker has answered a request that has already ended: it has room again.
    private mutating func freeCapacity(for frame: Frame, of peer: PeerID, at now: Duration, _ actions: inout [Action]) {
        guard let ticket = Ticket(frame), ticket.epoch == epoch, entries[ticket.entry] == nil,
            workers[peer]?.inFlight[ticket.entry] == ticket.attempt, let service = workers[peer]?.service
        else { return }
        workers[peer]?.inFlight[ticket.entry] = nil
        endSuspect(ticket.entry, in: service, at: peer)
        if let charge = workers[peer]?.ended.removeValue(forKey: ticket.entry) {
            exonerate(charge.fingerprint, at: now, &actions)
        }
        dispatch(service, at: now, &actions)
    }

    private mutating func rejectUnregistered(
        _ peer: PeerID, _ version: MajordomoVersion, at now: Duration, _ actions: inout [Action]
    ) {
        drop(.unregistered, at: now, &actions)
        send(.disconnect(extra: []), to: peer, version, &actions)
    }

    func send(_ message: WorkerMessage, to peer: PeerID, _ version: MajordomoVersion, _ actions: inout [Action]) {
        actions.append(.send(to: peer, .worker(version, message)))
    }
}

extension BrokerStateMachine.Entry {
    /// The body with the attempts and the queue time of the entry in its control frame.
    func stamped(_ body: MessageBody) -> MessageBody {
        var body = body
        body.control?.attempts = attempts
        body.control?.queuedMicroseconds = UInt32(clamping: queuedTotal.microseconds)
        return body
    }
}

extension BrokerStateMachine.Worker {
    mutating func begin(_ entry: UInt64, attempt: UInt8, use: UInt64, at now: Duration) {
        lastUse = use
        inFlight[entry] = attempt
        lastSent = now
    }

    mutating func finish(_ entry: UInt64) {
        inFlight[entry] = nil
        served += 1
    }
}
