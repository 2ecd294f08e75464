import CacheStoreMachine

/// A random schedule of requests, renewals, crashes and late messages against one machine, checked after every event by
/// a model that sees only inputs and actions.
struct LeaseWalk {
    private struct InFlightFetch {
        var lease: LeaseID
        var holder: String
        var request: String?
        var renewedAt: Duration
    }

    private enum Cause: Equatable {
        case asked(WaiterID, key: String, holder: String, request: String?)
        case renewed(LeaseID)
        case completed(key: String, LeaseID)
        case released(key: String, LeaseID, failure: [UInt8], upTo: Int?)
        case ticked
    }

    static let tick = Duration.milliseconds(100)
    private static let holders = ["a/1", "a/2", "b/1", "c/1"]
    private static let keys = ["k", "l", "m"]
    private static let requests = ["r", "s", "t", nil, nil]
    private static let configuration = LeaseConfiguration(maxParked: 5)

    private(set) var violations: [String] = []
    private(set) var seen: [String: Int] = [:]
    private var random: SplitMix64
    private var machine: LeaseStateMachine
    private var now = Duration.zero
    private var nextTick = LeaseWalk.tick
    private var nextWaiter: UInt64 = 0
    private var dead: Set<String> = []
    private var fetches: [String: InFlightFetch] = [:]
    private var issued: [(key: String, lease: LeaseID)] = []
    /// The waiting requests, the longest waiting first.
    private var parked: [(waiter: WaiterID, key: String, holder: String, request: String?)] = []
    private var ranks: [WaiterID: Int] = [:]
    private var unanswered: Set<WaiterID> = []

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
        machine = LeaseStateMachine(configuration: Self.configuration, epoch: seed)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { step() }
        // From here on no instance is alive: the lease passes through all waiting requests, and then none is left.
        let end = now + (Self.configuration.duration + Self.tick) * (Self.configuration.maxParked + 1)
        while now < end { advance(by: Self.tick) }
        check(unanswered.isEmpty, "every request ends")
        check(machine.leaseCount == 0 && machine.nextDeadline == nil, "every lease ends")
    }

    private mutating func step() {
        let choice = Int.random(in: 0..<100, using: &random)
        let key = Self.keys.randomElement(using: &random) ?? "k"
        let holder = Self.holders.randomElement(using: &random) ?? "a/1"
        switch choice {
        case ..<35: if !dead.contains(holder) { ask(key, holder) }
        case ..<50: if let fetch = liveFetch(key) { renew(key, fetch.lease) }
        case ..<56: if let fetch = liveFetch(key) { complete(key, fetch.lease) }
        case ..<60: if let fetch = liveFetch(key) { release(key, fetch.lease) }
        case ..<66: if let old = issued.randomElement(using: &random) { sendLate(old.key, old.lease) }
        case ..<72: if let one = parked.randomElement(using: &random) { abandon(one.waiter) }
        case ..<75: dead.insert(holder)
        case ..<79: dead.remove(holder)
        default: advance(by: .milliseconds(Int.random(in: 0...400, using: &random)))
        }
        checkCounts()
    }

    private func liveFetch(_ key: String) -> InFlightFetch? {
        fetches[key].flatMap { dead.contains($0.holder) ? nil : $0 }
    }

    private mutating func ask(_ key: String, _ holder: String) {
        nextWaiter += 1
        let waiter = WaiterID(nextWaiter)
        unanswered.insert(waiter)
        let request = Self.requests.randomElement(using: &random) ?? nil
        let rank = Int.random(in: 0...2, using: &random)
        ranks[waiter] = rank
        let actions = machine.asked(
            key: key, holder: holder, request: request, rank: rank, waiter: waiter, now: now)
        check(actions.count == 1, "asking has one outcome")
        apply(actions, .asked(waiter, key: key, holder: holder, request: request))
    }

    private mutating func renew(_ key: String, _ lease: LeaseID) {
        let actions = machine.renewed(key: key, lease: lease, now: now)
        if fetches[key]?.lease == lease {
            check(actions.isEmpty, "a renewal of the current lease is accepted")
            fetches[key]?.renewedAt = now
        }
        apply(actions, .renewed(lease))
    }

    private mutating func complete(_ key: String, _ lease: LeaseID) {
        end(key, lease, machine.completed(key: key, lease: lease, now: now), .completed(key: key, lease))
    }

    private mutating func release(_ key: String, _ lease: LeaseID) {
        let failure = [UInt8.random(in: 0...255, using: &random)]
        let highest: Int? = Bool.random(using: &random) ? Int.random(in: 0...2, using: &random) : nil
        let actions = machine.released(key: key, lease: lease, failure: failure, upTo: highest, now: now)
        end(key, lease, actions, .released(key: key, lease, failure: failure, upTo: highest))
    }

    private mutating func end(
        _ key: String, _ lease: LeaseID, _ actions: [LeaseStateMachine.Action], _ cause: Cause
    ) {
        let wasCurrent = fetches[key]?.lease == lease
        check(wasCurrent || actions == [.staleLease(lease)], "a late message is reported and nothing else")
        if wasCurrent { fetches[key] = nil }
        apply(actions, cause)
        guard wasCurrent else { return }
        check(
            fetches[key] != nil || !parked.contains { $0.key == key },
            "an outcome reaches all waiting requests, or one of them fetches")
    }

    private mutating func sendLate(_ key: String, _ lease: LeaseID) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: renew(key, lease)
        case 1: complete(key, lease)
        default: release(key, lease)
        }
    }

    private mutating func abandon(_ waiter: WaiterID) {
        machine.abandoned(waiter: waiter)
        parked.removeAll { $0.waiter == waiter }
        unanswered.remove(waiter)
        seen["abandoned", default: 0] += 1
    }

    private mutating func advance(by duration: Duration) {
        let target = now + duration
        while nextTick <= target {
            now = nextTick
            nextTick += Self.tick
            apply(machine.ticked(now: now), .ticked)
            let overdue = fetches.filter { now - $0.value.renewedAt >= Self.configuration.duration }.keys
            for key in overdue {
                check(
                    !parked.contains { $0.key == key },
                    "no request waits for a crashed holder after its lease and a tick")
                fetches[key] = nil
            }
        }
        now = target
    }

    private mutating func apply(_ actions: [LeaseStateMachine.Action], _ cause: Cause) {
        for action in actions {
            switch action {
            case .grant(let waiter, let lease): checkGrant(waiter, lease, cause)
            case .park(let waiter): checkPark(waiter, cause)
            case .busy(let waiter):
                check(parked.count == Self.configuration.maxParked, "busy is answered only at the limit")
                recordEnd(waiter, "busy")
            case .share(let waiter): checkShare(waiter, cause)
            case .fail(let waiter, let failure): checkFailure(waiter, failure, cause)
            case .staleLease(let lease):
                check(!fetches.values.contains { $0.lease == lease }, "a current lease is not stale")
                seen["stale", default: 0] += 1
            }
        }
    }

    private mutating func checkShare(_ waiter: WaiterID, _ cause: Cause) {
        guard case .completed(let key, _) = cause else { return fail("only a put is shared") }
        endWait(waiter, key, "share")
    }

    private mutating func checkFailure(_ waiter: WaiterID, _ failure: [UInt8], _ cause: Cause) {
        guard case .released(let key, _, failure, let highest) = cause else {
            return fail("a failure is that of its holder")
        }
        check(highest.map { rank(waiter) <= $0 } ?? true, "a failure ends no wait of a higher rank")
        endWait(waiter, key, "fail")
    }

    private mutating func checkGrant(_ waiter: WaiterID, _ lease: LeaseID, _ cause: Cause) {
        if case .asked(waiter, let key, let holder, let request) = cause {
            if let fetch = fetches[key], fetch.holder == holder {
                check(fetch.lease == lease, "the holder is given its own lease")
                fetches[key]?.renewedAt = now
            } else {
                if let fetch = fetches[key] {
                    check(request != nil && fetch.request == request, "a held lease passes on with its request only")
                    seen["takeover", default: 0] += 1
                }
                begin(key, lease, holder, request)
            }
            return recordEnd(waiter, "grant")
        }
        guard let next = parked.first(where: { $0.waiter == waiter }) else {
            return fail("a lease is granted at a request or passes to a waiting request")
        }
        switch cause {
        case .ticked: break
        case .released(next.key, _, _, let highest?):
            check(rank(waiter) > highest, "a lease passes at its release to a higher rank only")
            seen["pass by rank", default: 0] += 1
        default: return fail("a lease passes by a tick or by a release")
        }
        check(parked.first { $0.key == next.key }?.waiter == waiter, "the longest waiting is next")
        if let fetch = fetches[next.key] {
            check(now - fetch.renewedAt >= Self.configuration.duration, "at most one current lease a key")
        }
        begin(next.key, lease, next.holder, next.request)
        endWait(waiter, next.key, "pass")
    }

    private mutating func begin(_ key: String, _ lease: LeaseID, _ holder: String, _ request: String?) {
        check(!issued.contains { $0.lease == lease }, "no lease is given twice")
        issued.append((key, lease))
        fetches[key] = InFlightFetch(lease: lease, holder: holder, request: request, renewedAt: now)
    }

    private mutating func checkPark(_ waiter: WaiterID, _ cause: Cause) {
        guard case .asked(waiter, let key, let holder, let request) = cause else {
            return fail("only a new request is parked")
        }
        check(fetches[key].map { $0.holder != holder } ?? false, "a request waits only for another instance's lease")
        check(
            request == nil || fetches[key]?.request != request,
            "no request waits for a holder that has lost the same request")
        parked.append((waiter, key, holder, request))
        seen["park", default: 0] += 1
    }

    private mutating func endWait(_ waiter: WaiterID, _ key: String, _ outcome: String) {
        check(parked.contains { $0.waiter == waiter && $0.key == key }, "an outcome ends a wait for the key")
        parked.removeAll { $0.waiter == waiter }
        recordEnd(waiter, outcome)
    }

    private mutating func recordEnd(_ waiter: WaiterID, _ outcome: String) {
        check(unanswered.remove(waiter) != nil, "no request ends twice")
        seen[outcome, default: 0] += 1
    }

    private func rank(_ waiter: WaiterID) -> Int { ranks[waiter] ?? 0 }

    private mutating func checkCounts() {
        check(machine.parkedCount == parked.count, "the machine counts the waiting requests")
        check(parked.count <= Self.configuration.maxParked, "the waiting requests are bounded")
        check(machine.leaseCount == fetches.count, "the machine counts its leases")
        let deadline = fetches.values.map { $0.renewedAt + Self.configuration.duration }.min()
        check(machine.nextDeadline == deadline, "the next deadline is the earliest")
    }

    private mutating func check(_ condition: Bool, _ claim: String) {
        if !condition { fail(claim) }
    }

    private mutating func fail(_ claim: String) {
        violations.append("\(claim) (at \(now))")
    }
}
