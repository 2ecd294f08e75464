import Majordomo
import MessageBus

/// The messages that the broker sends.
extension Referee {
    func brokerSends(_ frames: [Frame], to connection: Connection) {
        switch connection.owner.role {
        case .client: said(ClientMessage.fromBroker(frames), isOld: frames[0].isEmpty, toClient: connection)
        case .plainClient(let version):
            if frames[0].isEmpty != (version == .v01) {
                object(.wrongMessage, "\(connection.owner.name) got another version")
            }
            said(ClientMessage.fromBroker(frames), toPlainClient: connection)
        case .worker:
            guard let message = WorkerMessage.fromBroker(frames) else {
                return object(.wrongMessage, "\(connection.owner.name) got \(frames)")
            }
            if case .request(let ticket, let body) = message { dispatched(ticket, body.frames, over: connection) }
        case .malformedPeer: break
        }
    }

    // MARK: To clients

    private func said(_ message: ClientMessage?, isOld: Bool, toClient connection: Connection) {
        guard !isOld, let message else {
            return object(.wrongMessage, "\(connection.owner.name) got no message of its version")
        }
        switch message {
        case .request: break
        case .partial(_, let body): partlyAnswered(Array(body.content), over: connection)
        case .final(let service, let body): answered(service, body.frames, over: connection)
        }
    }

    private func answered(_ service: Frame, _ body: [Frame], over connection: Connection) {
        guard case .control(let control) = ControlFrame.read(body.first) else {
            if body.first?.text == "200", let admission = cause.cancelled { end(admission) }
            return
        }
        guard let number = connection.messages.last(where: { $0.id == control.id })?.number else {
            return object(.wrongAnswer, "\(connection.owner.name) never asked \(control.id)")
        }
        if service.starts(with: Self.management) { return }
        let message = messages[number]
        guard let admission = message.admission, admission.isLive else {
            return object(.answeredTwice, "\(message.call)")
        }
        if control.flags.contains(.refused) {
            refused(admission, body.dropFirst().first?.text ?? "")
        } else {
            answered(admission, Array(body.dropFirst()))
            if Int(control.attempts) != admission.dispatches.count {
                object(
                    .wrongAttributes, "\(message.call): \(control.attempts) of \(admission.dispatches.count) attempts")
            }
            if Duration.microseconds(Int64(control.queuedMicroseconds)) > now - admission.arrivedAt {
                object(.wrongAttributes, "\(message.call) waited longer than it lived")
            }
        }
        end(admission)
    }

    private func said(_ message: ClientMessage?, toPlainClient connection: Connection) {
        switch message {
        case .final(_, let body):
            if body.control != nil { object(.wrongMessage, "a plain client got our frames") }
            guard let tag = MessageTag(body.content.dropLast().last), let admission = messages[tag.number].admission,
                admission.connection === connection
            else { return object(.wrongAnswer, "\(connection.owner.name) got \(body)") }
            guard admission.isLive else { return object(.answeredTwice, "\(admission.call)") }
            answered(admission, Array(body.content))
            end(admission)
        case .partial(_, let body):
            if case .plainClient(.v01) = connection.owner.role { object(.wrongMessage, "PARTIAL to a client of 0.1") }
            partlyAnswered(body.frames, over: connection)
        case .request, nil: object(.wrongMessage, "\(connection.owner.name) got no answer")
        }
    }

    /// A FINAL comes from a worker, for the one dispatch that is valid.
    private func answered(_ admission: Admission, _ content: [Frame]) {
        let tag = MessageTag(content.dropLast().last)
        if tag.map({ messages[$0.number].call === admission.call }) != true {
            object(.wrongAnswer, "\(admission.call) got the answer to another")
        }
        if !cause.isReplyLive || cause.reply?.admission !== admission { object(.staleReply, "\(admission.call)") }
    }

    private func partlyAnswered(_ content: [Frame], over connection: Connection) {
        world.tally.partials += 1
        guard let admission = MessageTag(content.dropLast().last).flatMap({ messages[$0.number].admission }),
            admission.connection === connection
        else { return object(.wrongAnswer, "a part went to \(connection.owner.name)") }
        if !cause.isReplyLive || cause.reply?.admission !== admission {
            object(.staleReply, "a part for \(admission.call)")
        }
        admission.hasPartial = true
    }

    private func refused(_ admission: Admission, _ code: String) {
        let hasWorker = registered.contains { $0.service == admission.call.service }
        let isJust =
            switch Refusal(rawValue: code) {
            case .unavailable:
                !hasWorker
                    && max(workerlessSince[admission.call.service] ?? .zero, admission.arrivedAt) + timing.noWorkerGrace
                        <= now
            case .overloaded: worker(freeFor: admission) == nil && admission.dispatches.isEmpty
            case .expired: admission.deadline <= now
            case .workerLost:
                isQuarantined(admission)
                    || admission.dispatches.last?.lostAt == now && !mayGoToAnother(admission)
            case .malformed, nil: false
            }
        if !isJust { object(.refusedWrongly, "\(admission.call): \(code)") }
    }

    func mayGoToAnother(_ admission: Admission) -> Bool {
        mayBeRedelivered(admission) && !isQuarantined(admission)
    }

    func mayBeRedelivered(_ admission: Admission) -> Bool {
        admission.call.isIdempotent && !admission.hasPartial && admission.dispatches.count < Int(timing.maxAttempts)
    }

    func end(_ admission: Admission) {
        admission.state = .ended
        live.removeAll { $0 === admission }
        isUnsettled = true
    }
}
