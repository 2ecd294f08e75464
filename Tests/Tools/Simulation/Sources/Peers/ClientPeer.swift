import Majordomo
import MessageBus

/// One of our client processes, driven by the real client machine.
class ClientPeer: Peer {
    typealias Ended = (ClientStateMachine.Ending) -> Void

    private var machine: ClientStateMachine
    private var open: [RequestID: (call: Call, ended: Ended?)] = [:]
    private let query: UInt64
    private var callCount: UInt64 = 0
    /// The last call of the schedule.
    private(set) var lastCall: Call?
    private(set) var isConnected = false
    /// When the connection was lost, on the world's clock.
    private(set) var awaySince: Duration = .zero

    init(name: String, query: UInt64, in world: World) {
        self.query = query
        machine = ClientStateMachine(timing: world.scenario.timing, at: .zero)
        super.init(name, role: .client, in: world)
    }

    override func started() {
        machine = ClientStateMachine(timing: world.scenario.timing, at: clock)
        for asked in open.values { world.referee.callerIsGone(asked.call) }
        open = [:]
        isConnected = false
        awaySince = world.now
        connection = world.connect(self)
    }

    func ask(_ ask: Scenario.Ask) {
        let isManagement = ask.service.hasPrefix("mmi.")
        let content = [Frame(text: isManagement ? "echo" : ask.payload)]
        let call = self.ask(
            ask.service, content, isIdempotent: ask.isIdempotent, within: ask.within, work: ask.work, ended: nil)
        guard let call, let id = call.id else { return }
        lastCall = call
        call.isPoison = ask.isPoison
        if let delay = ask.cancelledAfter { later(in: delay) { [self] in cancel(id) } }
    }

    /// - Returns: nil while the process does not run or is suspended.
    @discardableResult
    final func ask(
        _ service: String, _ content: [Frame], isIdempotent: Bool, within time: Duration, work: Duration, ended: Ended?
    ) -> Call? {
        guard isUp, !isPaused else { return nil }
        callCount += 1
        let id = RequestID(query: query, call: callCount)
        let service = Frame(text: service)
        let call = world.referee.asked(
            by: self, id: id, service: service, isIdempotent: isIdempotent, within: time, work: work)
        open[id] = (call, ended)
        perform {
            machine.requested(
                id, service: service, content: content, isIdempotent: isIdempotent, deadline: clock + time, at: clock,
                &$0)
        }
        return call
    }

    private func cancel(_ id: RequestID) {
        guard let call = open.removeValue(forKey: id)?.call else { return }
        world.referee.cancelled(call)
        perform { machine.cancelled(id, at: clock, &$0) }
    }

    override func connected() {
        isConnected = true
        perform { machine.connected(at: clock, &$0) }
    }

    override func lost() {
        isConnected = false
        awaySince = world.now
        perform { machine.disconnected(at: clock, &$0) }
    }

    override func received(_ frames: [Frame]) { perform { machine.received(frames, at: clock, &$0) } }
    override func ticked() { perform { machine.ticked(at: clock, &$0) } }
    override var nextDeadline: Duration? { machine.nextDeadline }

    private func perform(_ change: (inout [ClientStateMachine.Action]) -> Void) {
        var actions: [ClientStateMachine.Action] = []
        change(&actions)
        for action in actions {
            switch action {
            case .send(let message): send(message)
            case .end(let id, let ending):
                let asked = open.removeValue(forKey: id)
                world.referee.ended(id, asked?.call, ending, by: self)
                asked?.ended?(ending)
            case .reopen:
                connection.map { world.close($0) }
                connection = world.connect(self)
            }
        }
        planTick()
    }

    /// Every request gets a last frame that identifies its message; the bus passes it on unread.
    private func send(_ message: PeerMessage) {
        guard let connection else { return }
        let frames = message.encoded
        guard case .client(_, .request(let service, let body)) = message,
            let control = body.control, let call = open[control.id]?.call
        else { return world.send(frames, over: connection) }
        let number = world.referee.sends(call, over: connection, isManagement: service.starts(with: Self.management))
        world.send(frames + [MessageTag(number: number).encoded], over: connection)
    }

    static let management = Frame(text: "mmi.")
}
