import Majordomo
import MessageBus

/// One of our worker processes, driven by the real worker machine; begun requests outlive its connection.
final class WorkerPeer: Peer {
    let kind: Scenario.Worker
    /// The logic for its requests; nil for a worker that only waits.
    var handler: StoreHandler?
    private var machine: WorkerStateMachine
    /// Running handlers.
    private(set) var running = 0
    /// When the last of them ends.
    private var busyUntil: Duration = .zero
    /// The number of faulty connections in a row that it closed: it may take the broker for a plain one.
    private(set) var troubledTrials = 0
    private var isDraining = false
    /// Whether a new process follows one that has ended.
    var comesBack = true

    init(_ kind: Scenario.Worker, in world: World) {
        self.kind = kind
        machine = Self.machine(kind, world, process: 0, at: .zero)
        super.init(kind.instance, role: .worker, in: world)
    }

    private static func machine(
        _ kind: Scenario.Worker, _ world: World, process: UInt64, at now: Duration
    ) -> WorkerStateMachine {
        WorkerStateMachine(
            service: Frame(text: kind.service),
            options: WorkerOptions(
                instance: kind.instance, capacity: kind.capacity,
                heartbeatInterval: world.scenario.timing.heartbeatInterval, isExclusive: kind.isExclusive,
                process: process),
            timing: world.scenario.timing, at: now)
    }

    override func started() {
        machine = Self.machine(kind, world, process: world.nextProcess(), at: clock)
        running = 0
        troubledTrials = 0
        isDraining = false
        handler?.started()
        connection = world.connect(self)
    }

    func drain() {
        guard isUp else { return }
        markTroubled(until: Peer.forever)
        whenAwake(life) { [self] in
            isDraining = true
            handler?.leave()
            perform { machine.drain(at: clock, &$0) }
        }
    }

    override func connected() { perform { machine.opened(at: clock, &$0) } }
    override func lost() { perform { machine.disconnected(at: clock, &$0) } }
    override func received(_ frames: [Frame]) { perform { machine.received(frames, at: clock, &$0) } }
    override func ticked() { perform { machine.ticked(at: clock, &$0) } }
    override var nextDeadline: Duration? { machine.nextDeadline }

    private func begin(_ delivery: WorkerStateMachine.Delivery) {
        running += 1
        let work = world.referee.began(delivery, at: self)
        if let handler {
            busyUntil = max(busyUntil, world.now + CacheScenario.budget)
            return handler.began(delivery)
        }
        busyUntil = max(busyUntil, world.now + work)
        if world.referee.isPoison(delivery.content) { world.poison(self, in: work) }
        later(in: work) { [self] in
            running -= 1
            if isDraining, delivery.control?.flags.contains(.idempotent) == true, world.dice.hits(oneIn: 2) {
                world.referee.returned(delivery, by: self)
                return perform { machine.returned(delivery, at: clock, &$0) }
            }
            perform {
                machine.answered(delivery, with: Array(delivery.content) + [Frame(text: "done")], at: clock, &$0)
            }
        }
    }

    /// The handler has an answer.
    func answer(_ delivery: WorkerStateMachine.Delivery, _ frames: [Frame]) {
        running -= 1
        let tag = delivery.content.last.map { [$0] } ?? []
        perform { machine.answered(delivery, with: frames + tag + [Frame(text: "done")], at: clock, &$0) }
    }

    /// The handler returns it undelivered.
    func withhold(_ delivery: WorkerStateMachine.Delivery) {
        running -= 1
        world.referee.returned(delivery, by: self)
        perform { machine.returned(delivery, at: clock, &$0) }
    }

    private var isInTrouble: Bool {
        guard let connection else { return false }
        return max(connection.troubledUntil, world.broker.troubledUntil, troubledUntil) > connection.openedAt
    }

    private func perform(_ change: (inout [WorkerStateMachine.Action]) -> Void) {
        var actions: [WorkerStateMachine.Action] = []
        change(&actions)
        for action in actions {
            switch action {
            case .send(let message): connection.map { world.send(message.encoded, over: $0) }
            case .deliver(let delivery): begin(delivery)
            case .reopen:
                troubledTrials = isInTrouble ? troubledTrials + 1 : 0
                world.referee.gaveUp(self)
                connection.map { world.close($0) }
                // Running handlers take capacity that the broker does not know of.
                if running > 0 { markTroubled(until: busyUntil) }
                connection = world.connect(self)
            case .stopped:
                world.referee.stopped(self)
                leave()
                if comesBack { world.plan(in: .milliseconds(300)) { [self] in start() } }
            }
        }
        if isUp { planTick() }
    }
}
