import CacheStoreMachine
import Majordomo
import MessageBus

/// The logic of cache-store's process behind its worker: the real lease and quota machines over a persistent disk.
final class StoreHandler {
    struct Entry {
        let value: Int
        let fetchBegan: Duration
    }

    unowned let world: World
    let scenario: CacheScenario
    private unowned let worker: WorkerPeer
    private var leases: LeaseStateMachine
    private var quota = QuotaStateMachine()
    private var waiting: [WaiterID: WorkerStateMachine.Delivery] = [:]
    private var lastWaiter: UInt64 = 0
    private var isLeaving = false
    private var tickDue: Duration?
    private var disk: (entries: [String: Entry], balances: [QuotaAccount: QuotaBalance]) = ([:], [:])
    /// What the store knows to be on disk.
    private var written: [QuotaAccount: QuotaBalance] = [:]
    private var wallShift = 0.0

    private var referee: CacheReferee { world.cacheReferee }

    init(_ scenario: CacheScenario, of worker: WorkerPeer, in world: World) {
        self.scenario = scenario
        self.worker = worker
        self.world = world
        leases = LeaseStateMachine(configuration: CacheScenario.leases, epoch: 0)
        for step in scenario.wallSteps { world.plan(in: step.time) { [self] in wallShift += step.seconds } }
    }

    /// Unix time in seconds.
    var wall: Double {
        scenario.wallStart + Double(world.now.wholeMicroseconds) / 1_000_000 * CacheScenario.wallSpeed + wallShift
    }

    // MARK: Lifecycle

    func started() {
        leases = LeaseStateMachine(configuration: CacheScenario.leases, epoch: world.dice.next())
        quota = QuotaStateMachine(balances: disk.balances)
        written = disk.balances
        waiting = [:]
        isLeaving = false
        tickDue = nil
        referee.storeStarted()
    }

    /// Returns parked requests undelivered, since only the next store can answer them.
    func leave() {
        isLeaving = true
        for waiter in waiting.keys.sorted(by: { $0.rawValue < $1.rawValue }) { withhold(waiter) }
    }

    private func withhold(_ waiter: WaiterID) {
        leases.abandoned(waiter: waiter)
        referee.abandoned(waiter)
        guard let delivery = waiting.removeValue(forKey: waiter) else { return }
        worker.withhold(delivery)
    }

    // MARK: Requests

    func began(_ delivery: WorkerStateMachine.Delivery) {
        guard let request = CacheRequest(delivery.content.dropLast()) else {
            return worker.answer(delivery, [])
        }
        switch request {
        case .get(let key, let holder, let isRefresh, _):
            if !isRefresh, let entry = disk.entries[key] { return answer(delivery, .value(entry.value)) }
            ask(key, holder, delivery)
        case .put(let key, let lease, let value, let fetchBegan):
            // The commit takes time, and a crash before its end stores nothing.
            worker.later(in: commitTime) { [self] in
                if disk.entries[key].map({ $0.fetchBegan <= fetchBegan }) ?? true {
                    disk.entries[key] = Entry(value: value, fetchBegan: fetchBegan)
                }
                referee.completed(key, lease)
                apply(leases.completed(key: key, lease: lease, now: worker.clock))
                referee.checkSettled()
                answer(delivery, .done)
            }
        case .renew(let key, let lease):
            referee.renewed(key, lease)
            let actions = leases.renewed(key: key, lease: lease, now: worker.clock)
            apply(actions)
            answer(delivery, actions.isEmpty ? .done : .refused)
        case .release(let key, let lease, let failure):
            referee.released(key, lease, failure)
            apply(leases.released(key: key, lease: lease, failure: Array("\(failure)".utf8), now: worker.clock))
            referee.checkSettled()
            answer(delivery, .done)
        case .take(let limit):
            let decision = quota.take(CacheScenario.account, limit: limit, now: wall)
            referee.took(decision, limit: limit, wall: wall)
            commitBalances(then: delivery, decision == .granted ? .done : .refused)
        case .exhausted(let limit):
            quota.exhausted(CacheScenario.account, limit: limit, now: wall)
            referee.exhausted(wall: wall)
            commitBalances(then: delivery, .done)
        }
        planTick()
    }

    private func ask(_ key: String, _ holder: String, _ delivery: WorkerStateMachine.Delivery) {
        lastWaiter += 1
        let waiter = WaiterID(lastWaiter)
        waiting[waiter] = delivery
        referee.asked(key, holder, waiter)
        apply(leases.asked(key: key, holder: holder, request: nil, waiter: waiter, now: worker.clock))
        referee.checkSettled()
        guard waiting[waiter] != nil else { return }
        if isLeaving { return withhold(waiter) }
        worker.later(in: CacheScenario.budget) { [self] in
            guard let delivery = waiting.removeValue(forKey: waiter) else { return }
            leases.abandoned(waiter: waiter)
            referee.abandoned(waiter)
            answer(delivery, .tooLate)
        }
    }

    private func apply(_ actions: [LeaseStateMachine.Action]) {
        for action in actions {
            referee.observe(action)
            switch action {
            case .grant(let waiter, let lease): grant(lease, to: waiter)
            case .park, .staleLease: break
            case .busy(let waiter): end(waiter, .busy)
            case .share(let waiter): end(waiter, nil)
            case .fail(let waiter, let bytes): end(waiter, .failure(Int(String(decoding: bytes, as: UTF8.self)) ?? -1))
            }
        }
        planTick()
    }

    /// Counts the first call of the fetch before it answers.
    private func grant(_ lease: LeaseID, to waiter: WaiterID) {
        guard let delivery = waiting.removeValue(forKey: waiter) else { return }
        guard case .get(_, _, _, let limit)? = CacheRequest(delivery.content.dropLast()) else { return }
        let decision = quota.take(CacheScenario.account, limit: limit, now: wall)
        referee.took(decision, limit: limit, wall: wall)
        commitBalances(then: delivery, .lease(lease, isCallCounted: decision == .granted))
    }

    /// - Parameter reply: nil for the stored value.
    private func end(_ waiter: WaiterID, _ reply: CacheReply?) {
        guard let delivery = waiting.removeValue(forKey: waiter) else { return }
        guard case .get(let key, _, _, _)? = CacheRequest(delivery.content.dropLast()) else { return }
        answer(delivery, reply ?? .value(disk.entries[key]?.value ?? -1))
    }

    private func answer(_ delivery: WorkerStateMachine.Delivery, _ reply: CacheReply) {
        worker.answer(delivery, reply.frames)
    }

    private var commitTime: Duration { world.dice.microseconds(200...4000) }

    /// The answer follows the commit, if one is needed; a crash in between loses only the answer.
    private func commitBalances(then delivery: WorkerStateMachine.Delivery, _ reply: CacheReply) {
        if let current = quota.balances[CacheScenario.account],
            let known = written[CacheScenario.account], known.includes(current)
        {
            return answer(delivery, reply)
        }
        let ahead = quota.balances.mapValues(\.countedAhead)
        disk.balances = ahead
        worker.later(in: commitTime) { [self] in
            written = ahead
            answer(delivery, reply)
        }
    }

    // MARK: Time

    private func planTick() {
        guard let deadline = leases.nextDeadline else { return }
        let due = max(worker.bornAt + deadline, world.now) + world.latency
        if let tickDue, tickDue <= due { return }
        tickDue = due
        worker.later(in: due - world.now) { [self] in
            guard tickDue == due else { return }
            tickDue = nil
            referee.ticked()
            apply(leases.ticked(now: worker.clock))
            referee.checkSettled()
            planTick()
        }
    }
}
