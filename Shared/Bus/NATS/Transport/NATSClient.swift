internal import Envelope
internal import MessageBus
internal import PollLoop

/// The client side of the bus over NATS: a connection driven by the client's state machine, on the poll loop.
actor NATSClient: RequestingActor {
    enum Ending: Sendable {
        case reply(ControlFrame, ArraySlice<Frame>)
        case dispatch(DispatchStateMachine.Ending)
        /// The server takes messages of at most `limit` bytes.
        case tooLarge(Int, limit: Int)
        case tooManyRequests
        /// The server does not let this client send the request.
        case notPermitted(subject: String)
        case failed(NATSError)
    }

    private struct Request {
        let call: BusCall
        let caller: Caller?
        var slot: Int?
        /// To which it was sent last.
        var subject: String?
    }

    static let overload = Ending.tooManyRequests
    private static let maxConnections = 1000

    private nonisolated let loop: PollLoop
    private nonisolated let alarm: Alarm
    nonisolated let cancelledRequests = CancelledRequests()
    private let connection: NATSConnection
    private let directory: ServiceDirectory
    private let clock = BusClock()
    private var machine: DispatchStateMachine
    private var requests: [RequestID: Request] = [:]
    private var slots = ReplySlots()
    /// Over which connection each instance is reached, as it has said last.
    private var connections: [String: String] = [:]
    /// The services whose instances are being asked for.
    private var inquiries: Set<String> = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ configuration: NATSConfiguration, _ connection: NATSConnection, _ directory: ServiceDirectory,
        on loop: PollLoop
    ) {
        self.loop = loop
        alarm = Alarm(on: loop)
        self.connection = connection
        self.directory = directory
        machine = DispatchStateMachine(timing: configuration.dispatch, at: .zero)
    }

    /// Follows the connection until the task is cancelled.
    func run() async {
        // Requests are sent after the first report of a connection.
        let denials = await connection.denials()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            group.addTask { for await denial in denials { await self.handle(denial) } }
            for await change in await connection.changes() { handle(change) }
            group.cancelAll()
        }
        for request in requests.values { request.caller?.resume(returning: nil) }
        requests = [:]
    }

    private func handle(_ change: NATSConnection.Change) {
        switch change {
        case .connected: update { $0.connected(at: $1, &$2) }
        case .disconnected:
            slots.expectNothing()
            update { $0.disconnected(at: $1, &$2) }
        case .failed: break
        }
        setAlarm()
    }

    /// The server names the subject only, and so it denies all requests that were sent there.
    private func handle(_ denial: Denial) {
        for (id, request) in requests where request.subject == denial.subject && denial.operation == .publish {
            _ = machine.answered(id)
            end(id, .notPermitted(subject: denial.subject))
        }
        setAlarm()
    }

    // MARK: Requests

    nonisolated var isOnLoop: Bool { loop.isOnLoop }

    nonisolated func wake() { alarm.ring(by: .now) }

    var openRequests: Int { machine.openRequests }

    func open(_ call: BusCall, for caller: Caller?) {
        requests[call.id] = Request(call: call, caller: caller)
        update {
            $0.requested(
                call.id, service: call.service, isIdempotent: call.isIdempotent, deadline: clock.time(call.deadline),
                at: $1, &$2)
        }
        setAlarm()
    }

    private func tick() {
        for id in cancelledRequests.take() where requests[id] != nil {
            update { machine, _, actions in machine.cancelled(id, &actions) }
            end(id, nil)
        }
        update { $0.ticked(at: $1, &$2) }
        setAlarm()
    }

    private func end(_ id: RequestID, _ ending: Ending?) {
        guard let request = requests.removeValue(forKey: id) else { return }
        if let slot = request.slot { release(slot) }
        request.caller?.resume(returning: ending)
    }

    // MARK: Actions

    /// Changes the state machine, and performs its actions.
    private func update(
        _ body: (inout DispatchStateMachine, _ now: Duration, _ actions: inout [DispatchStateMachine.Action]) -> Void
    ) {
        var actions: [DispatchStateMachine.Action] = []
        body(&machine, clock.now, &actions)
        for action in actions {
            switch action {
            case .send(let id, let target, let attempt): send(id, to: target, attempt: attempt)
            case .inquire(let service): inquire(service)
            case .cancel(let id, let target): sendCancellation(id, at: target)
            case .end(let id, let ending): end(id, .dispatch(ending))
            }
        }
    }

    private func send(_ id: RequestID, to target: DispatchStateMachine.Target, attempt: UInt8) {
        guard let request = requests[id] else { return }
        let call = request.call
        let left = max(call.deadline - .now, .zero)
        let control = ControlFrame(
            id: id, flags: call.isIdempotent ? .idempotent : [],
            remainingMilliseconds: UInt32(clamping: left / .milliseconds(1) < 1 ? 1 : Int64(left / .milliseconds(1))),
            attempts: attempt)
        let data = PackedFrames.pack([control.encoded()] + call.content)
        let subject = subject(of: call, target)
        do throws(NATSError) {
            let slot: Int
            if let taken = request.slot { slot = taken } else { slot = try takeSlot(for: id, of: call.service) }
            requests[id]?.slot = slot
            requests[id]?.subject = subject
            guard let reply = slots[slot]?.subject else { return }
            try connection.perform { connection throws(NATSError) in
                try connection.publish(
                    data, to: subject, reply: reply,
                    headers: [("traceparent", TraceParent(query: id.query, call: id.call).description)])
            }
            slots.sent(over: slot)
        } catch {
            // A lost connection is reported next.
            if error.code == .disconnected || error.code == .closed { return }
            _ = machine.answered(id)
            let limit = connection.perform { $0.maxPayload }
            end(id, error.code == .tooLarge ? .tooLarge(data.count, limit: limit) : .failed(error))
        }
    }

    private func subject(of call: BusCall, _ target: DispatchStateMachine.Target) -> String {
        switch target {
        case .group: Subjects.request(call.kind, of: call.service)
        case .instance(let instance):
            Subjects.request(call.kind, at: instance, over: connections[instance] ?? "")
        }
    }

    private func sendCancellation(_ id: RequestID, at target: DispatchStateMachine.Target) {
        // Which instance of the group received it is not known.
        guard case .instance = target, let request = requests[id],
            let reply = request.slot.flatMap({ slots[$0]?.subject })
        else { return }
        let control = ControlFrame(id: id, flags: .cancelled)
        let subject = subject(of: request.call, target)
        // Without a connection the instance finds out by the deadline.
        _ = try? connection.perform { connection throws(NATSError) in
            try connection.publish(PackedFrames.pack([control.encoded()]), to: subject, reply: reply)
        }
    }

    private func inquire(_ service: String) {
        guard inquiries.insert(service).inserted else { return }
        Task(executorPreference: loop.tasks) {
            await self.found(await self.directory.instances(of: service), of: service)
        }
    }

    private func found(_ places: [ServiceDirectory.Place], of service: String) {
        inquiries.remove(service)
        for place in places { record(place) }
        update { $0.instances(places.map(\.instance), of: service, at: $1, &$2) }
        setAlarm()
    }

    private func record(_ place: ServiceDirectory.Place) {
        if connections.count >= Self.maxConnections { connections = [:] }
        connections[place.instance] = place.connection
    }

    private func setAlarm() {
        if let next = machine.nextDeadline { alarm.ring(by: clock.instant(next)) }
    }

    // MARK: Answers

    private func takeSlot(for id: RequestID, of service: String) throws(NATSError) -> Int {
        let slot = try slots.take(for: id, of: service) { number throws(NATSError) in
            let subject = "\(connection.inbox).\(number)"
            let subscription = try connection.perform { connection throws(NATSError) in
                try connection.subscribe(subject) { [weak self] arrival in
                    // A late answer, after the end of the bus.
                    self?.assumeIsolated { $0.receive(arrival, over: number) }
                }
            }
            return (subject, subscription)
        }
        if let subscription = slots[slot]?.subscription { connection.perform { $0.resume(subscription) } }
        return slot
    }

    private func release(_ slot: Int) {
        guard let subscription = slots[slot]?.subscription else { return }
        let ended = slots.release(slot)
        connection.perform { connection in
            if let ended { connection.unsubscribe(ended) } else { connection.pause(subscription) }
        }
    }

    private func receive(_ arrival: NATSConnection.Arrival, over slot: Int) {
        guard let id = slots[slot]?.request else { return }
        switch arrival {
        case .noResponders:
            slots.arrived(over: slot)
            update { $0.foundNoInstance(for: id, at: $1, &$2) }
        case .message(let message): receive(message, of: id, over: slot)
        }
        setAlarm()
    }

    private func receive(_ message: NATSMessage, of id: RequestID, over slot: Int) {
        guard let frames = PackedFrames.unpack(message.data),
            case .control(let control) = ControlFrame.read(frames.first)
        else {
            // A foreign service answers on our subject, or a program of another protocol version.
            slots.arrived(over: slot)
            return update { $0.refused(id, .malformed, by: "", at: $1, &$2) }
        }
        guard control.id == id else { return }
        if control.flags.contains(.working) {
            guard frames.count == 3 else { return }
            record(ServiceDirectory.Place(instance: frames[1].text, connection: frames[2].text))
            return update { machine, now, _ in machine.working(id, at: frames[1].text, now: now) }
        }
        slots.arrived(over: slot)
        if control.flags.contains(.refused) {
            let refusal = frames.count == 3 ? Refusal(rawValue: frames[1].text) : nil
            update { $0.refused(id, refusal ?? .malformed, by: frames.last?.text ?? "", at: $1, &$2) }
        } else if machine.answered(id) {
            end(id, .reply(control, frames.dropFirst()))
        }
    }
}
