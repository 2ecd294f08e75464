import BrokerMachine
import Majordomo
import MessageBus

/// The messages that reach the broker.
extension Referee {
    func brokerTicks() {
        cause = Cause()
        lastTick = now
    }

    func brokerReceives(_ frames: [Frame], over connection: Connection) {
        cause = Cause(connection: connection)
        let registration = connection.registration.flatMap { $0.isLive ? $0 : nil }
        switch try? PeerMessage(frames) {
        case .client(_, .request(let service, let body)):
            if service.starts(with: Self.management) {
                cause.cancelled = service.text == "mmi.cancel" ? named(by: body.frames.first, over: connection) : nil
            } else {
                arrived(body.frames, over: connection)
            }
        case .worker(let version, let message):
            registration?.lastHeard = now
            switch message {
            case .ready(let service, let extra):
                let options = version == .v02 ? extra.first.flatMap { WorkerOptions($0) } : nil
                cause.ready = (service, options)
                if registration == nil, !service.starts(with: Self.management) { returned(options) }
            case .final(let ticket, _): replied(ticket, by: registration, isFinal: true)
            case .partial(let ticket, _): replied(ticket, by: registration, isFinal: false)
            case .heartbeat(let extra):
                if extra.first == WorkerMessage.drainFrame { registration?.isDraining = true }
            case .disconnect, .request: break
            }
        case .client, .dispatch, nil: break
        }
    }

    private func returned(_ options: WorkerOptions?) {
        guard let process = options.flatMap({ CrashBook.Process($0) }), crashBook.returned(process) else { return }
        world.tally.returns += 1
        isUnsettled = true
    }

    private func named(by id: Frame?, over connection: Connection) -> Admission? {
        guard let id else { return nil }
        return live.first { admission in
            guard admission.connection === connection, let call = admission.call.id else { return false }
            return ControlFrame(id: call).encoded()[8..<24].elementsEqual(id)
        }
    }

    private func arrived(_ body: [Frame], over connection: Connection) {
        guard let tag = MessageTag(body.last) else { return }
        let message = messages[tag.number]
        // A duplicate of a message that is in flight is the same entry.
        if message.admission?.isLive == true { return }
        var remaining = timing.plainDeadline
        if case .control(let control) = ControlFrame.read(body.first) {
            remaining = .milliseconds(Int64(control.remainingMilliseconds))
        }
        let content = ControlFrame.read(body.first) == .plain ? body[...] : body.dropFirst()
        let admission = Admission(
            call: message.call, connection: connection,
            likeness: CrashBook.Likeness(service: message.call.service, payload: Array(content.dropLast())),
            arrivedAt: now, deadline: now + remaining)
        message.admission = admission
        admissions.append(admission)
        live.append(admission)
        cause.admission = admission
        isUnsettled = true
    }

    private func replied(_ ticket: Frame, by registration: Registration?, isFinal: Bool) {
        guard let dispatch = dispatches[ticket] else { return }
        cause.reply = dispatch
        let isOfTheSame = registration != nil && dispatch.registration === registration
        cause.isReplyLive =
            isOfTheSame && dispatch.isOutstanding && dispatch.admission.isLive
            && dispatch.admission.dispatches.last === dispatch
        if isFinal, isOfTheSame, dispatch.isOutstanding {
            dispatch.isOutstanding = false
            crashBook.answered(dispatch.admission.likeness)
            registration?.outstanding.removeAll { $0 === dispatch }
            isUnsettled = true
        }
    }

    /// The broker's process has ended, and its ledger is lost.
    func brokerEnded() {
        for admission in live { admission.state = .ended }
        for registration in registered { unregister(registration) }
        live = []
        dispatches = [:]
        workerlessSince = [:]
        crashBook = CrashBook()
        keptFree = [:]
    }

    func unregister(_ registration: Registration) {
        registration.isLive = false
        registered.removeAll { $0 === registration }
        for dispatch in registration.outstanding {
            dispatch.isOutstanding = false
            dispatch.lostAt = now
        }
        registration.outstanding = []
    }
}
