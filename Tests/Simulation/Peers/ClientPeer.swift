import Majordomo

/// A process of ours that asks, driven by the real client machine.
final class ClientPeer: Peer {
    private var machine: ClientStateMachine
    private var open: [RequestID: Call] = [:]
    private let query: UInt64
    private var callCount: UInt64 = 0
    private(set) var lastCall: Call?
    private(set) var isConnected = false
    /// When the connection was lost, on the world's clock.
    private(set) var awaySince: Duration = .zero

    init(number: Int, query: UInt64, in world: World) {
        self.query = query
        machine = ClientStateMachine(timing: world.scenario.timing, at: .zero)
        super.init("client/\(number)", role: .client, in: world)
    }

    override func started() {
        machine = ClientStateMachine(timing: world.scenario.timing, at: clock)
        for call in open.values { world.referee.callerIsGone(call) }
        open = [:]
        isConnected = false
        awaySince = world.now
        connection = world.connect(self)
    }

    func ask(_ ask: Scenario.Ask) {
        guard isUp, !isPaused else { return }
        callCount += 1
        let id = RequestID(query: query, call: callCount)
        let service = Frame(text: ask.service)
        let call = world.referee.asked(
            by: self, id: id, service: service, isIdempotent: ask.isIdempotent, within: ask.within, work: ask.work)
        open[id] = call
        lastCall = call
        let content = ask.service == "mmi.service" ? [Frame(text: "echo")] : []
        perform(
            machine.requested(
                id, service: service, content: content, isIdempotent: ask.isIdempotent, deadline: clock + ask.within,
                at: clock))
        if let delay = ask.cancelledAfter { later(in: delay) { [self] in cancel(id) } }
    }

    private func cancel(_ id: RequestID) {
        guard let call = open.removeValue(forKey: id) else { return }
        world.referee.cancelled(call)
        perform(machine.cancelled(id, at: clock))
    }

    override func connected() {
        isConnected = true
        perform(machine.connected(at: clock))
    }

    override func lost() {
        isConnected = false
        awaySince = world.now
        perform(machine.disconnected(at: clock))
    }

    override func received(_ frames: [Frame]) { perform(machine.received(frames, at: clock)) }
    override func ticked() { perform(machine.ticked(at: clock)) }
    override var nextDeadline: Duration? { machine.nextDeadline }

    private func perform(_ actions: [ClientStateMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let frames): send(frames)
            case .end(let id, let ending):
                world.referee.ended(id, open.removeValue(forKey: id), ending, by: self)
            case .reopen:
                connection.map { world.close($0) }
                connection = world.connect(self)
            }
        }
        planTick()
    }

    /// Every request gets a last frame that tells its message from all others; the bus passes it on unread.
    private func send(_ frames: [Frame]) {
        guard let connection else { return }
        guard case .client(_, .request(let service, let body)) = try? PeerMessage(frames),
            case .control(let control) = ControlFrame.read(body.first), let call = open[control.id]
        else { return world.send(frames, over: connection) }
        let number = world.referee.sends(call, over: connection, isManagement: service.starts(with: Self.management))
        world.send(frames + [MessageTag(number: number).encoded], over: connection)
    }

    static let management = Frame(text: "mmi.")
}
