import Majordomo

/// A client in the random world, and what became of its requests.
final class RandomClient {
    struct Call {
        let isIdempotent: Bool
        let deadline: Duration
        var isCancelled = false
        var endings: [(ending: ClientStateMachine.Ending, at: Duration)] = []
    }

    private let number: UInt64
    private var machine = ClientStateMachine(at: .zero)
    private var link: Link?
    private(set) var calls: [RequestID: Call] = [:]
    private var order: [RequestID] = []

    init(number: UInt64) { self.number = number }

    static func answer(to id: RequestID) -> [Frame] { [Frame(text: "answer to \(id)")] }

    @discardableResult
    func ask(_ service: String, isIdempotent: Bool, within time: Duration, in world: RandomWorld) -> RequestID {
        let id = RequestID(query: number, call: UInt64(order.count))
        order.append(id)
        calls[id] = Call(isIdempotent: isIdempotent, deadline: world.now + time)
        carryOut(
            machine.requested(
                id, service: Frame(text: service), content: [], isIdempotent: isIdempotent,
                deadline: world.now + time, at: world.now), in: world)
        return id
    }

    func cancelLatest(in world: RandomWorld) {
        guard let id = order.last, calls[id]?.endings.isEmpty == true else { return }
        calls[id]?.isCancelled = true
        carryOut(machine.cancelled(id, at: world.now), in: world)
    }

    func advance(in world: RandomWorld) {
        if let link, world.isToldOfLoss(link) {
            carryOut(machine.disconnected(at: world.now), in: world)
        }
        if let link {
            for frames in world.arrived(over: link) {
                carryOut(machine.received(frames, at: world.now), in: world)
            }
        } else if world.dice.hits(oneIn: 3) {
            link = world.connect("client \(number)")
            if link != nil { carryOut(machine.connected(at: world.now), in: world) }
        }
        if let due = machine.nextDeadline, due <= world.now { carryOut(machine.ticked(at: world.now), in: world) }
    }

    private func carryOut(_ actions: [ClientStateMachine.Action], in world: RandomWorld) {
        for action in actions {
            switch action {
            case .send(let frames): if let link { world.send(frames, over: link) }
            case .end(let id, let ending): calls[id]?.endings.append((ending, world.now))
            case .reopen: link = nil
            }
        }
    }
}

/// A worker in the random world: it pauses, drains and comes back under the same name.
final class RandomWorker {
    let instance: String
    private let capacity: Int
    private var machine: WorkerStateMachine
    private var link: Link?
    private var hands: [(due: Duration, delivery: WorkerStateMachine.Delivery)] = []
    private var pausedUntil: Duration = .zero
    private(set) var begun: [RequestID: Int] = [:]
    private(set) var mostAtOnce = 0

    init(instance: String, capacity: Int) {
        self.instance = instance
        self.capacity = capacity
        machine = Self.machine(instance, capacity, at: .zero)
    }

    private static func machine(_ instance: String, _ capacity: Int, at now: Duration) -> WorkerStateMachine {
        let options = WorkerOptions(
            instance: instance, capacity: capacity, heartbeatInterval: MajordomoTiming().heartbeatInterval)
        return WorkerStateMachine(service: Frame(text: "echo"), options: options, at: now)
    }

    func pause(in world: RandomWorld) { pausedUntil = world.now + world.dice.duration(200...4000) }

    func drain(in world: RandomWorld) {
        guard pausedUntil <= world.now else { return }
        carryOut(machine.drain(at: world.now), in: world)
    }

    func advance(in world: RandomWorld) {
        guard pausedUntil <= world.now else { return }
        if let link, world.isToldOfLoss(link) { carryOut(machine.disconnected(at: world.now), in: world) }
        if let link {
            for frames in world.arrived(over: link) { carryOut(machine.received(frames, at: world.now), in: world) }
        } else if world.dice.hits(oneIn: 3) {
            link = world.connect(instance)
            if link != nil { carryOut(machine.opened(at: world.now), in: world) }
        }
        let done = hands.filter { $0.due <= world.now }
        hands.removeAll { $0.due <= world.now }
        for (_, delivery) in done {
            let content = delivery.control.map { RandomClient.answer(to: $0.id) } ?? []
            carryOut(machine.answered(delivery, with: content, at: world.now), in: world)
        }
        if let due = machine.nextDeadline, due <= world.now { carryOut(machine.ticked(at: world.now), in: world) }
    }

    private func carryOut(_ actions: [WorkerStateMachine.Action], in world: RandomWorld) {
        for action in actions {
            switch action {
            case .send(let frames): if let link { world.send(frames, over: link) }
            case .deliver(let delivery):
                hands.append((world.now + world.dice.duration(10...400), delivery))
                mostAtOnce = max(mostAtOnce, hands.count)
                if let id = delivery.control?.id { begun[id, default: 0] += 1 }
            case .reopen: link = nil
            case .stopped:
                // The process ends, and its supervisor starts another.
                hands = []
                link.map(world.breakLink)
                link = nil
                machine = Self.machine(instance, capacity, at: world.now)
                pausedUntil = world.now + .milliseconds(300)
            }
        }
    }
}
