import Majordomo
import MessageBus

/// The requests of callers, and how their calls end.
extension Referee {
    func asked(
        by client: Peer, id: RequestID?, service: Frame, isIdempotent: Bool, within time: Duration, work: Duration
    ) -> Call {
        let call = Call(
            number: calls.count + 1, client: client, id: id, service: service, isIdempotent: isIdempotent,
            askedAt: now, deadline: now + time, work: work)
        calls.append(call)
        world.tally.calls += 1
        world.log?.record(
            "client.asked", by: client.name, at: now, id,
            [
                "call": .number(call.number), "service": .text(service.text), "idempotent": .flag(isIdempotent),
                "withinMs": .number(Int(time.wholeMilliseconds)),
            ])
        return call
    }

    /// The number of the new message.
    func sends(_ call: Call, over connection: Connection, isManagement: Bool) -> Int {
        let message = Message(number: messages.count, call: call, connection: connection)
        messages.append(message)
        connection.messages.append((call.id, message.number))
        call.messages.append(message)
        if call.messages.count > 1 { world.tally.repeats += 1 }
        if isLawful, call.messages.count > 1, !call.isIdempotent { object(.repeated, "\(call) was sent again") }
        return message.number
    }

    func callerIsGone(_ call: Call) {
        call.isOver = true
        world.tally.abandoned += 1
    }

    func cancelled(_ call: Call) {
        call.isOver = true
        world.tally.cancelled += 1
        world.log?.record("client.cancelled", by: call.client.name, at: now, call.id)
    }

    func ended(_ id: RequestID, _ call: Call?, _ ending: ClientStateMachine.Ending, by client: ClientPeer) {
        world.log?.record("client.ended", by: client.name, at: now, id, ["ending": .text(ending.name)])
        guard let call else {
            let isKnown = calls.contains { $0.id == id && $0.client === client && $0.isOver }
            return object(isKnown ? .endedTwice : .endedUncalled, "\(id) at \(client.name): \(ending.name)")
        }
        call.isOver = true
        let limit = max(call.deadline, client.troubledUntil) + timing.heartbeatInterval
        if now > limit { object(.noEnding, "\(call) ended \(now - call.deadline) after its deadline") }
        switch ending {
        case .reply(let control, let content): answered(call, control, content)
        case .refused(let refusal, _): world.tally.refusals[refusal, default: 0] += 1
        case .deadlinePassed:
            world.tally.deadlines += 1
            if now < call.deadline { object(.endedEarly, "\(call)") }
        case .brokerLost:
            world.tally.brokerLost += 1
            let isLate = now >= client.awaySince + timing.brokerGrace
            let wasCut = !call.isIdempotent && !call.messages.isEmpty && now == client.awaySince
            if client.isConnected || !(isLate || wasCut) { object(.brokerNotLost, "\(call)") }
        }
        if case .reply = ending { return }
        judgeStarvation(of: call, ending.refusal, over: client.connection)
    }

    private func answered(_ call: Call, _ control: ControlFrame, _ content: ArraySlice<Frame>) {
        call.isAnswered = true
        world.tally.finals += 1
        if control.id != call.id { object(.wrongAnswer, "\(call) got the answer to \(control.id)") }
        guard !call.service.starts(with: Self.management) else { return }
        let tag = MessageTag(content.dropLast().last)
        if tag.map({ messages[$0.number].call === call }) != true { object(.wrongAnswer, "\(call) got \(content)") }
    }

    func answered(plain call: Call) {
        call.isOver = true
        call.isAnswered = true
        world.tally.plainFinals += 1
    }

    /// A plain client's wait has timed out.
    func gaveUp(_ call: Call) {
        call.isOver = true
        judgeStarvation(of: call, nil, over: call.client.connection)
    }
}

extension ClientStateMachine.Ending {
    var refusal: Refusal? {
        if case .refused(let refusal, _) = self { refusal } else { nil }
    }

    var name: String {
        switch self {
        case .reply: "reply"
        case .refused(let refusal, _): refusal.rawValue
        case .deadlinePassed: "deadline_passed"
        case .brokerLost: "broker_lost"
        }
    }
}
