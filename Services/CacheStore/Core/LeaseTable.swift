public import CacheStoreMachine

/// The lease machine with its clock and its waiting requests, one continuation per waiter.
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
        /// This store shuts down, and the put can only arrive at its successor.
        case shuttingDown
    }

    /// How long a holder may wait between two renewals.
    nonisolated let renewal: Duration
    private let start = ContinuousClock.now
    private var machine: LeaseStateMachine
    private var lastWaiter: UInt64 = 0
    private var waiting: [WaiterID: CheckedContinuation<Outcome, Never>] = [:]
    /// Deadlines of the waiting requests; few, and all checked at each tick.
    private var deadlines: [WaiterID: ContinuousClock.Instant] = [:]
    /// When `run` checks the deadlines next.
    private var alarm: ContinuousClock.Instant?
    private var isShuttingDown = false
    private let wakeups: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    public init(configuration: LeaseConfiguration = LeaseConfiguration(), epoch: UInt64) {
        renewal = configuration.duration / 3
        machine = LeaseStateMachine(configuration: configuration, epoch: epoch)
        (wakeups, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Passes on expired leases and ends waits at their deadlines, until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakeups {
                // One alarm at a time; a second one only for an earlier deadline.
                guard let next = nextDeadline, alarm.map({ next < $0 }) ?? true else { continue }
                alarm = next
                group.addTask {
                    // A sleep fails only by cancellation: then the table has ended.
                    guard (try? await Task.sleep(until: next, clock: .continuous)) != nil else { return }
                    await self.handleAlarm(next)
                }
            }
            group.cancelAll()
        }
    }

    private func handleAlarm(_ instant: ContinuousClock.Instant) {
        if alarm == instant { alarm = nil }
        tick()
    }

    /// Ends all waits, now and from now on: the put that would end them is queued for the next store, which starts only
    /// when this one has nothing in flight.
    func shutDown() {
        isShuttingDown = true
        for waiter in waiting.keys { abandon(waiter, .shuttingDown) }
    }

    /// - Parameters:
    ///   - request: the request that the holder works on, if it is known.
    ///   - rank: of the request's class.
    func ask(
        _ key: String, holder: String, request: String? = nil, rank: Int = 0, deadline: ContinuousClock.Instant
    ) async -> Outcome {
        lastWaiter += 1
        let waiter = WaiterID(lastWaiter)
        return await withCheckedContinuation { continuation in
            waiting[waiter] = continuation
            deadlines[waiter] = deadline
            apply(machine.asked(key: key, holder: holder, request: request, rank: rank, waiter: waiter, now: now))
        }
    }

    func isCurrent(_ key: String, lease: String) -> Bool {
        LeaseID(lease).map { machine.isCurrent($0, key) } ?? false
    }

    /// - Returns: false when the lease is no longer the key's current one.
    func renew(_ key: String, lease: String) -> Bool {
        guard let id = LeaseID(lease) else { return false }
        return apply(machine.renewed(key: key, lease: id, now: now))
    }

    /// - Parameter highestRank: of the requests that share the failure; nil: all.
    func release(_ key: String, lease: String, failure: [UInt8], upTo highestRank: Int? = nil) -> Bool {
        guard let id = LeaseID(lease) else { return false }
        return apply(machine.released(key: key, lease: id, failure: failure, upTo: highestRank, now: now))
    }

    func complete(_ key: String, lease: String) {
        guard let id = LeaseID(lease) else { return }
        // A late put under a former lease does not affect the requests that wait for the current one.
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

    /// - Returns: false when the machine reports the lease as stale.
    @discardableResult
    private func apply(_ actions: [LeaseStateMachine.Action]) -> Bool {
        var isCurrent = true
        for action in actions {
            switch action {
            case .grant(let waiter, let lease): end(waiter, .granted(lease.description))
            case .park(let waiter): if isShuttingDown { abandon(waiter, .shuttingDown) }
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
