internal import Majordomo
public import MessageBus

extension BrokerStateMachine {
    /// A management request that the owner of the broker answers, from `report` and its own state.
    public struct Inspection: Sendable, Equatable {
        public enum Subject: Sendable {
            case ping, info, services, workers, stats, events
        }

        public let subject: Subject
        /// The request's frames after the control frame.
        public let arguments: ArraySlice<Frame>
        let service: Frame
        let client: Client
        let control: ControlFrame?
    }

    /// RFC 8 and our additional services: the first frame of every answer is a status, "200", "404" or "501".
    mutating func handleManagementRequest(
        _ service: Frame, _ body: MessageBody, by client: Client, at now: Duration, _ actions: inout [Action]
    ) {
        let (control, arguments) = (body.control, body.content)
        func status(_ code: String) -> Action {
            answer([Frame(text: code)], service: service, control: control, to: client)
        }
        func inspect(_ subject: Inspection.Subject) {
            actions.append(
                .inspect(
                    Inspection(
                        subject: subject, arguments: arguments, service: service, client: client, control: control)))
        }
        switch ManagementService(rawValue: service.text) {
        case .service:
            let hasWorker = arguments.first.flatMap { services[$0] }?.workers.isEmpty == false
            actions.append(status(hasWorker ? "200" : "404"))
        case .cancel:
            let entry = cancelRequest(named: arguments, by: client)
            actions.append(status(entry == nil ? "404" : "200"))
            guard let entry else { return }
            actions.append(.note(.cancelled(id: entry.control?.id, service: entry.serviceName)))
            if entry.isSuspect { dispatch(entry.service, at: now, &actions) }
        case .ping: inspect(.ping)
        case .info: inspect(.info)
        case .services: inspect(.services)
        case .workers: inspect(.workers)
        case .stats: inspect(.stats)
        case .events: inspect(.events)
        case nil: actions.append(status("501"))
        }
    }

    /// The answer to an inspection.
    public func answer(_ inspection: Inspection, status: String = "200", _ frames: [Frame]) -> Action {
        answer(
            [Frame(text: status)] + frames, service: inspection.service, control: inspection.control,
            to: inspection.client)
    }

    private func answer(_ frames: [Frame], service: Frame, control: ControlFrame?, to client: Client) -> Action {
        let body = MessageBody(control: control, content: frames[...])
        return .send(to: client.peer, .client(client.version, .final(service: service, body: body)))
    }

    /// Cancels a queued request of the same client, named by its 16-byte id; a dispatched request is not stopped.
    private mutating func cancelRequest(named arguments: ArraySlice<Frame>, by client: Client) -> Entry? {
        guard let bytes = arguments.first, bytes.count == 16 else { return nil }
        let request = RequestID(bytes, at: 0)
        guard let id = entryByRequest[RequestKey(client: client.peer, id: request)],
            entries[id]?.state == .queued, let entry = remove(id)
        else { return nil }
        return entry
    }
}
