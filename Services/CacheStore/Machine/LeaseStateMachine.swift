/// Request coalescing across processes: of all instances that want one key, one holds its lease and fetches.
///
/// A lease belongs to an instance and a key. The others wait and share the outcome, value or failure. A holder that
/// stops renewing loses the lease to the longest waiting request.
///
/// A pure value: events and time in, actions out. `now` is the time since the process started and never steps back.
/// The caller checks for a stored value before it asks: the machine has no values, and grants a lease for every key
/// that is not being fetched.
public struct LeaseStateMachine: Sendable {
    private let configuration: LeaseConfiguration
    private let epoch: UInt64
    private var lastNumber: UInt64 = 0
    /// Ordered by renewal. All leases have the same duration, so the oldest is the next to end.
    private var fetches = RecencyList<String, InFlightFetch>()
    private var keyByParkedWaiter: [WaiterID: String] = [:]

    /// - Parameter epoch: a number that no earlier store has used, such as a random one.
    public init(configuration: LeaseConfiguration = LeaseConfiguration(), epoch: UInt64) {
        self.configuration = configuration
        self.epoch = epoch
    }

    /// Requests that wait now, over all keys.
    public var parkedCount: Int { keyByParkedWaiter.count }

    /// Leases that are held now, each for another key.
    public var leaseCount: Int { fetches.count }

    /// When the next lease ends unless it is renewed; `nil` while no lease is held.
    public var nextDeadline: Duration? {
        fetches.oldest.map { $0.value.renewedAt + configuration.duration }
    }

    /// An instance requests the key's value, which is not stored.
    ///
    /// The holder is granted the same lease again, which also renews it: it is alive and about to fetch, possibly after
    /// a restart under the same name. If another instance works on the holder's request, the broker has lost the holder
    /// and redelivered the request: the lease passes on at once.
    ///
    /// - Parameters:
    ///   - request: the request that the instance works on, if it is known.
    ///   - rank: of the request's class, the highest is the most urgent.
    public mutating func asked(
        key: String, holder: String, request: String?, rank: Int = 0, waiter: WaiterID, now: Duration
    ) -> [Action] {
        let requester = InFlightFetch.Waiter(id: waiter, holder: holder, request: request, rank: rank)
        guard let fetch = fetches.peek(key) else {
            return [.grant(waiter, open(key, for: requester, waiters: [], now: now))]
        }
        if fetch.holder == holder {
            renew(key, now: now)
            return [.grant(waiter, fetch.lease)]
        }
        if let request, fetch.request == request {
            return [.grant(waiter, open(key, for: requester, waiters: fetch.waiters, now: now))]
        }
        guard parkedCount < configuration.maxParked else { return [.busy(waiter)] }
        keyByParkedWaiter[waiter] = key
        fetches.change(key) { $0.waiters.append(requester) }
        return [.park(waiter)]
    }

    /// The holder is still fetching.
    ///
    /// A late renewal is accepted until the tick that passes the lease on.
    public mutating func renewed(key: String, lease: LeaseID, now: Duration) -> [Action] {
        guard isCurrent(lease, key) else { return [.staleLease(lease)] }
        renew(key, now: now)
        return []
    }

    /// The value was put and committed: all waiting requests share it.
    public mutating func completed(key: String, lease: LeaseID, now: Duration) -> [Action] {
        guard isCurrent(lease, key) else { return [.staleLease(lease)] }
        return close(key).map { .share($0) }
    }

    /// The fetch failed: all waiting requests share the failure, and the next request is granted a new lease.
    ///
    /// - Parameters:
    ///   - failure: the encoded failure, passed on without decoding.
    ///   - highestRank: requests of a higher rank do not share the failure: the lease passes to the longest waiting one
    ///     of them. Nil for a failure that concerns all.
    public mutating func released(
        key: String, lease: LeaseID, failure: [UInt8], upTo highestRank: Int? = nil, now: Duration
    ) -> [Action] {
        guard isCurrent(lease, key), let fetch = fetches.remove(key) else { return [.staleLease(lease)] }
        let spared = fetch.waiters.filter { waiter in highestRank.map { waiter.rank > $0 } ?? false }
        let failed = fetch.waiters.filter { waiter in !spared.contains { $0.id == waiter.id } }
        for waiter in failed { keyByParkedWaiter[waiter.id] = nil }
        return failed.map { .fail($0.id, failure) } + passOn(key, to: spared, now: now)
    }

    /// The request has ended without an outcome: its deadline has passed or its caller has disconnected.
    ///
    /// A lease that was granted for it remains: the fetch continues and its value is stored.
    public mutating func abandoned(waiter: WaiterID) {
        guard let key = keyByParkedWaiter.removeValue(forKey: waiter) else { return }
        fetches.change(key) { $0.waiters.removeAll { $0.id == waiter } }
    }

    /// Time has passed: leases that were not renewed go to the longest waiting request, or end if none waits.
    public mutating func ticked(now: Duration) -> [Action] {
        var actions: [Action] = []
        while let deadline = nextDeadline, deadline <= now, let (key, fetch) = fetches.oldest {
            fetches.remove(key)
            actions += passOn(key, to: fetch.waiters, now: now)
        }
        return actions
    }

    /// Grants a new lease to the longest waiting request, if there is one.
    private mutating func passOn(_ key: String, to waiters: [InFlightFetch.Waiter], now: Duration) -> [Action] {
        guard let successor = waiters.first else { return [] }
        keyByParkedWaiter[successor.id] = nil
        return [.grant(successor.id, open(key, for: successor, waiters: Array(waiters.dropFirst()), now: now))]
    }

    /// Whether the lease is the key's current one.
    public func isCurrent(_ lease: LeaseID, _ key: String) -> Bool {
        fetches.peek(key)?.lease == lease
    }

    private mutating func open(
        _ key: String, for requester: InFlightFetch.Waiter, waiters: [InFlightFetch.Waiter], now: Duration
    ) -> LeaseID {
        lastNumber += 1
        let lease = LeaseID(epoch: epoch, number: lastNumber)
        fetches.set(
            InFlightFetch(
                lease: lease, holder: requester.holder, request: requester.request, renewedAt: now, waiters: waiters),
            for: key)
        return lease
    }

    private mutating func renew(_ key: String, now: Duration) {
        fetches.change(key) { $0.renewedAt = now }
        _ = fetches.use(key)
    }

    /// Ends the fetch.
    ///
    /// - Returns: its waiting requests, the longest waiting first.
    private mutating func close(_ key: String) -> [WaiterID] {
        let waiters = fetches.remove(key)?.waiters.map(\.id) ?? []
        for waiter in waiters { keyByParkedWaiter[waiter] = nil }
        return waiters
    }
}

/// The fetch of one key: its lease, the lease's holder, and the requests that wait for the outcome.
struct InFlightFetch: Sendable {
    struct Waiter: Sendable {
        let id: WaiterID
        let holder: String
        let request: String?
        let rank: Int
    }

    var lease: LeaseID
    var holder: String
    /// The request that the holder works on.
    var request: String?
    /// When the lease was granted or last renewed.
    var renewedAt: Duration
    /// Longest waiting first.
    var waiters: [Waiter] = []
}
