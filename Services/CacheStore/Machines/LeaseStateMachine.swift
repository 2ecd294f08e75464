/// Single flight across processes: of all instances that want one key, one holds its lease and fetches.
///
/// A lease belongs to an instance and a key. The others wait and share what comes, value or failure. A holder that
/// falls silent loses the lease to whoever waits longest.
///
/// A pure value: events and time in, actions out. `now` is the time since the process started and never steps back.
/// Whoever asks has looked for the value first, in the same turn: the machine knows nothing of values, and to it a key
/// without a flight is one to be fetched.
public struct LeaseStateMachine: Sendable {
    private let configuration: LeaseConfiguration
    private let epoch: UInt64
    private var lastNumber: UInt64 = 0
    /// Ordered by renewal. All leases last equally long, so the oldest is the next to end.
    private var flights = RecencyList<String, LeaseFlight>()
    private var keyByParkedWaiter: [WaiterID: String] = [:]

    /// - Parameter epoch: a number that no earlier store has used, such as a random one.
    public init(configuration: LeaseConfiguration = LeaseConfiguration(), epoch: UInt64) {
        self.configuration = configuration
        self.epoch = epoch
    }

    /// Requests that wait now, over all keys.
    public var parkedCount: Int { keyByParkedWaiter.count }

    /// Leases that are held now, each for another key.
    public var leaseCount: Int { flights.count }

    /// When `ticked` has something to do unless a renewal comes first; `nil` while no lease is held.
    public var nextDeadline: Duration? {
        flights.oldest.map { $0.value.renewedAt + configuration.duration }
    }

    /// An instance wants the key's value and did not find it.
    ///
    /// The instance that holds the lease is given the same one again, which also renews it: whoever asks is alive and
    /// about to fetch, were it after a restart under the same name. Another instance that works on the holder's own request
    /// has it from a broker which has lost the holder: the lease passes on at once.
    ///
    /// - Parameter request: the request that the instance works on, if it is known.
    public mutating func asked(
        key: String, holder: String, request: String?, waiter: WaiterID, now: Duration
    ) -> [Action] {
        let asker = LeaseFlight.Waiter(id: waiter, holder: holder, request: request)
        guard let flight = flights.peek(key) else {
            return [.grant(waiter, open(key, for: asker, waiters: [], now: now))]
        }
        if flight.holder == holder {
            renew(key, now: now)
            return [.grant(waiter, flight.lease)]
        }
        if let request, flight.request == request {
            return [.grant(waiter, open(key, for: asker, waiters: flight.waiters, now: now))]
        }
        guard parkedCount < configuration.maxParked else { return [.busy(waiter)] }
        keyByParkedWaiter[waiter] = key
        flights.change(key) { $0.waiters.append(asker) }
        return [.park(waiter)]
    }

    /// The holder is still fetching.
    ///
    /// A renewal that comes late, but before the tick that would have passed the lease on, counts.
    public mutating func renewed(key: String, lease: LeaseID, now: Duration) -> [Action] {
        guard isCurrent(lease, key) else { return [.staleLease(lease)] }
        renew(key, now: now)
        return []
    }

    /// The value was put and committed: all who wait share it.
    public mutating func completed(key: String, lease: LeaseID, now: Duration) -> [Action] {
        guard isCurrent(lease, key) else { return [.staleLease(lease)] }
        return close(key).map { .share($0) }
    }

    /// The fetch failed: all who wait now share the failure, and the next to ask is given a new lease.
    ///
    /// - Parameter failure: the encoded failure, passed on without a look inside.
    public mutating func released(key: String, lease: LeaseID, failure: [UInt8], now: Duration) -> [Action] {
        guard isCurrent(lease, key) else { return [.staleLease(lease)] }
        return close(key).map { .fail($0, failure) }
    }

    /// The request has ended by itself, by its deadline or because its caller is gone.
    ///
    /// A lease that was granted for it stays: the fetch runs on and is stored.
    public mutating func abandoned(waiter: WaiterID) {
        guard let key = keyByParkedWaiter.removeValue(forKey: waiter) else { return }
        flights.change(key) { $0.waiters.removeAll { $0.id == waiter } }
    }

    /// Time has passed: leases that were not renewed go to whoever waits longest, or end if no one does.
    public mutating func ticked(now: Duration) -> [Action] {
        var actions: [Action] = []
        while let deadline = nextDeadline, deadline <= now, let (key, flight) = flights.oldest {
            flights.remove(key)
            guard let successor = flight.waiters.first else { continue }
            keyByParkedWaiter[successor.id] = nil
            let rest = Array(flight.waiters.dropFirst())
            actions.append(.grant(successor.id, open(key, for: successor, waiters: rest, now: now)))
        }
        return actions
    }

    /// Whether the lease is the key's still.
    public func isCurrent(_ lease: LeaseID, _ key: String) -> Bool {
        flights.peek(key)?.lease == lease
    }

    private mutating func open(
        _ key: String, for asker: LeaseFlight.Waiter, waiters: [LeaseFlight.Waiter], now: Duration
    ) -> LeaseID {
        lastNumber += 1
        let lease = LeaseID(epoch: epoch, number: lastNumber)
        flights.set(
            LeaseFlight(
                lease: lease, holder: asker.holder, request: asker.request, renewedAt: now, waiters: waiters),
            for: key)
        return lease
    }

    private mutating func renew(_ key: String, now: Duration) {
        flights.change(key) { $0.renewedAt = now }
        _ = flights.use(key)
    }

    /// Ends the flight and lets go of everyone who waited, longest first.
    private mutating func close(_ key: String) -> [WaiterID] {
        let waiters = flights.remove(key)?.waiters.map(\.id) ?? []
        for waiter in waiters { keyByParkedWaiter[waiter] = nil }
        return waiters
    }
}
