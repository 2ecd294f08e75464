import BrokerMachine
import Majordomo
import MessageBus

/// The broker's process: the real broker machine behind a ROUTER, restarted by a supervisor.
final class BrokerProcess {
    unowned let world: World
    var machine: BrokerStateMachine
    var stream = ConnectionStream()
    var table = ConnectionTable()
    /// Connections whose end has been read, and when; the loss is not yet processed.
    var endsRead: [(Connection, Duration)] = []
    /// Counts its starts.
    private(set) var run = 0
    private(set) var isUp = false
    private(set) var startedAt: Duration = .zero
    private(set) var restartsAt: Duration = .zero
    private(set) var pausedUntil: Duration = .zero
    private(set) var troubledUntil: Duration = .zero
    private var tickDue: Duration?

    init(in world: World) {
        self.world = world
        machine = BrokerStateMachine(timing: world.scenario.timing, epoch: 0)
    }

    var clock: Duration { world.now - startedAt }
    var isPaused: Bool { world.now < pausedUntil }
    var awakening: Duration { pausedUntil - world.now + world.dice.microseconds(0...2000) }

    func start() {
        run += 1
        isUp = true
        startedAt = world.now
        tickDue = nil
        machine = BrokerStateMachine(
            timing: world.scenario.timing, epoch: world.dice.next(), describe: { MessageTag.description(of: $0) })
        (stream, table, endsRead) = (ConnectionStream(), ConnectionTable(), [])
        markTroubled(until: world.now)
    }

    func crash(for duration: Duration) {
        guard isUp else { return }
        isUp = false
        pausedUntil = .zero
        restartsAt = world.now + duration
        markTroubled(until: restartsAt)
        world.brokerEnded()
        world.referee.brokerEnded()
        world.plan(in: duration) { [self] in start() }
    }

    func pause(for duration: Duration) {
        guard isUp, !isPaused else { return }
        pausedUntil = world.now + duration
        markTroubled(until: pausedUntil + .milliseconds(20))
    }

    private func markTroubled(until time: Duration) { troubledUntil = max(troubledUntil, time) }

    func receive(_ frames: [Frame], over connection: Connection) {
        heard(over: connection)
        world.referee.brokerReceives(frames, over: connection)
        apply { machine.received(frames, from: connection.peer, rights: connection.owner.rights, at: clock, &$0) }
        world.referee.brokerHasSettled()
        planTick()
    }

    func tickIsDue(_ run: Int) {
        guard isUp, run == self.run, tickDue == world.now else { return }
        tickDue = nil
        if isPaused {
            let due = world.now + awakening
            tickDue = due
            return world.planBrokerTick(at: due)
        }
        world.referee.brokerTicks()
        apply { machine.ticked(at: clock, &$0) }
        world.referee.brokerHasSettled()
        world.referee.brokerHasTicked()
        planTick()
    }

    /// Applies actions as the broker's service does.
    func apply(_ change: (inout [BrokerStateMachine.Action]) -> Void) {
        var actions: [BrokerStateMachine.Action] = []
        change(&actions)
        var lost: [Connection] = []
        for action in actions {
            switch action {
            case .send(let peer, let message):
                let (frames, connection) = (message.encoded, world.connection(of: peer))
                world.referee.brokerSends(frames, to: connection)
                if lost.contains(where: { $0 === connection }) || !world.deliver(frames, to: connection) {
                    lost.append(connection)
                }
            case .note(let event): world.referee.brokerNotes(event)
            case .end(let peer):
                world.sever(
                    world.connection(of: peer), brokerLearnsIn: .zero, peerLearnsIn: world.dice.milliseconds(0...50))
            case .inspect(let inspection): apply { $0.append(machine.answer(inspection, [Frame(text: "seen")])) }
            }
        }
        for connection in lost { apply { machine.undeliverable(to: connection.peer, queuedAt: clock, at: clock, &$0) } }
    }

    func planTick() {
        guard let deadline = machine.nextDeadline else { return }
        let due = max(startedAt + deadline, world.now) + world.latency
        if let tickDue, tickDue <= due { return }
        tickDue = due
        world.planBrokerTick(at: due)
    }
}
