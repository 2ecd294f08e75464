public import CacheStoreMachines

/// The lease machine with its clock and those who wait: one suspended request a waiter.
public actor LeaseTable {
    /// How a request for a lease ended.
    enum Outcome: Sendable {
        case granted(String)
        /// The value has been stored meanwhile.
        case shared
        /// The fetch that was waited for failed with this encoded failure.
        case failed([UInt8])
        case busy
        case deadlinePassed
        /// This store is about to go, and what was waited for can only come to its successor.
        case leaving
    }

    private let start = ContinuousClock.now
    private var machine: LeaseStateMachine
    private var lastWaiter: UInt64 = 0
    private var waiting: [WaiterID: CheckedContinuation<Outcome, Never>] = [:]
    /// Deadlines of those who wait; few, and looked at once a tick.
    private var deadlines: [WaiterID: ContinuousClock.Instant] = [:]
    /// When `run` looks at the deadlines next.
    private var alarm: ContinuousClock.Instant?
    private var isLeaving = false
    private let wakeups: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    public init(configuration: LeaseConfiguration = LeaseConfiguration(), epoch: UInt64) {
        machine = LeaseStateMachine(configuration: configuration, epoch: epoch)
        (wakeups, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Passes on leases of silent holders and ends waits at their deadlines, until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakeups {
                // One alarm at a time; a second only where a deadline comes before it.
                guard let next = nextDeadline, alarm.map({ next < $0 }) ?? true else { continue }
                alarm = next
                group.addTask {
                    // A sleep fails only by cancellation: then the table has ended.
                    guard (try? await Task.sleep(until: next, clock: .continuous)) != nil else { return }
                    await self.rang(next)
                }
            }
            group.cancelAll()
        }
    }

    private func rang(_ at: ContinuousClock.Instant) {
        if alarm == at { alarm = nil }
        tick()
    }

    /// Lets go of everyone who waits, now and from now on: the put that would wake them waits for the next store already,
    /// which comes only when this one has nothing in flight.
    func leave() {
        isLeaving = true
        for waiter in waiting.keys { abandon(waiter, .leaving) }
    }

    /// - Parameter request: the request that the holder works on, if it is known.
    func ask(
        _ key: String, holder: String, request: String? = nil, deadline: ContinuousClock.Instant
    ) async -> Outcome {
        lastWaiter += 1
        let waiter = WaiterID(lastWaiter)
        return await withCheckedContinuation { continuation in
            waiting[waiter] = continuation
            deadlines[waiter] = deadline
            apply(machine.asked(key: key, holder: holder, request: request, waiter: waiter, now: now))
        }
    }

    func isCurrent(_ key: String, lease: String) -> Bool {
        LeaseID(lease).map { machine.isCurrent($0, key) } ?? false
    }

    /// False when the lease is no longer the key's.
    func renew(_ key: String, lease: String) -> Bool {
        guard let id = LeaseID(lease) else { return false }
        return apply(machine.renewed(key: key, lease: id, now: now))
    }

    func release(_ key: String, lease: String, failure: [UInt8]) -> Bool {
        guard let id = LeaseID(lease) else { return false }
        return apply(machine.released(key: key, lease: id, failure: failure, now: now))
    }

    func complete(_ key: String, lease: String) {
        guard let id = LeaseID(lease) else { return }
        // A late put of a lease that has passed on changes nothing for those who wait for its successor.
        _ = apply(machine.completed(key: key, lease: id, now: now))
    }

    private var now: Duration { .now - start }

    private var nextDeadline: ContinuousClock.Instant? {
        [machine.nextDeadline.map { start + $0 }, deadlines.values.min()].compactMap { $0 }.min()
    }

    private func tick() {
        _ = apply(machine.ticked(now: now))
        let instant = ContinuousClock.now
        for (waiter, deadline) in deadlines where deadline <= instant { abandon(waiter, .deadlinePassed) }
    }

    private func abandon(_ waiter: WaiterID, _ outcome: Outcome) {
        machine.abandoned(waiter: waiter)
        end(waiter, outcome)
    }

    /// - Returns: false when the machine called the lease stale.
    @discardableResult
    private func apply(_ actions: [LeaseStateMachine.Action]) -> Bool {
        var isCurrent = true
        for action in actions {
            switch action {
            case .grant(let waiter, let lease): end(waiter, .granted(lease.description))
            case .park(let waiter): if isLeaving { abandon(waiter, .leaving) }
            case .busy(let waiter): end(waiter, .busy)
            case .share(let waiter): end(waiter, .shared)
            case .fail(let waiter, let failure): end(waiter, .failed(failure))
            case .staleLease: isCurrent = false
            }
        }
        wake.yield()
        return isCurrent
    }

    private func end(_ waiter: WaiterID, _ outcome: Outcome) {
        deadlines[waiter] = nil
        waiting.removeValue(forKey: waiter)?.resume(returning: outcome)
    }
}
