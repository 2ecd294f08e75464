import BoxOffice
import CacheStoreMachines
import Majordomo

/// Watches what the store is told and what it does, keeps leases and counts of its own, and objects when a rule of the
/// cache is broken.
final class CacheReferee {
    private struct Known {
        var lease: LeaseID
        var holder: String
        var renewedAt: Duration
        /// Longest waiting first.
        var waiters: [(id: WaiterID, holder: String)] = []
    }

    /// What the lease machine was told last.
    private enum Cause {
        case asked(key: String, holder: String, WaiterID)
        case completed(key: String, LeaseID)
        case released(key: String, LeaseID, failure: Int)
        case renewed(key: String, LeaseID)
        case ticked
    }

    private unowned let world: World
    private var known: [String: Known] = [:]
    private var cause = Cause.ticked
    private var calls: [(flight: FetcherPeer.InFlightFetch, fetcher: FetcherPeer, life: Int)] = []
    private var count = (day: Day.firstChart, used: 0)
    private var exhaustedAt: Double?
    private var probedAt: Double?

    init(in world: World) { self.world = world }

    private var now: Duration { world.now }
    private var duration: Duration { CacheScenario.leases.duration }

    private func object(_ rule: Rule, _ detail: @autoclosure () -> String) { world.referee.object(rule, detail()) }

    // MARK: What the store is told

    func storeStarted() { known = [:] }

    func asks(_ key: String, _ holder: String, _ waiter: WaiterID) { cause = .asked(key: key, holder: holder, waiter) }
    func completes(_ key: String, _ lease: LeaseID) { cause = .completed(key: key, lease) }
    func releases(_ key: String, _ lease: LeaseID, _ failure: Int) {
        cause = .released(key: key, lease, failure: failure)
    }

    func renews(_ key: String, _ lease: LeaseID) {
        cause = .renewed(key: key, lease)
        if known[key]?.lease == lease { isRenewed(key) }
    }

    func ticks() { cause = .ticked }

    func abandoned(_ waiter: WaiterID) {
        for key in known.keys { known[key]?.waiters.removeAll { $0.id == waiter } }
    }

    private func isRenewed(_ key: String) {
        known[key]?.renewedAt = now
        guard let lease = known[key]?.lease else { return }
        // A machine that forgets to be ticked must be found out, too.
        let renewedAt = now
        world.plan(in: duration + .milliseconds(100)) { [self] in
            guard let flight = known[key], flight.lease == lease, flight.renewedAt == renewedAt,
                !flight.waiters.isEmpty,
                isStoreWell(since: renewedAt)
            else { return }
            object(.heldByTheDead, "\(flight.holder) holds \(key), and \(flight.waiters.count) wait")
        }
    }

    // MARK: What the store does

    func does(_ action: LeaseStateMachine.Action) {
        world.tally.count(action)
        switch action {
        case .grant(let waiter, let lease): grants(waiter, lease)
        case .park(let waiter):
            guard case .asked(let key, let holder, waiter) = cause, known[key].map({ $0.holder != holder }) == true
            else { return object(.wrongLeaseAction, "\(action)") }
            known[key]?.waiters.append((waiter, holder))
            if parked > CacheScenario.leases.maxParked { object(.clogged, "\(parked) are parked") }
        case .busy:
            if parked < CacheScenario.leases.maxParked { object(.wrongLeaseAction, "busy with \(parked) parked") }
        case .share(let waiter):
            guard case .completed(let key, let lease) = cause, known[key]?.lease == lease, isWaiting(waiter, key) else {
                return object(.endedByStranger, "\(action)")
            }
            known[key]?.waiters.removeAll { $0.id == waiter }
        case .fail(let waiter, let bytes):
            guard case .released(let key, let lease, let failure) = cause, known[key]?.lease == lease,
                isWaiting(waiter, key), bytes == Array("\(failure)".utf8)
            else { return object(.endedByStranger, "\(action)") }
            known[key]?.waiters.removeAll { $0.id == waiter }
        case .staleLease(let lease):
            if known.values.contains(where: { $0.lease == lease }) { object(.wrongLeaseAction, "\(lease) is current") }
        }
    }

    private func grants(_ waiter: WaiterID, _ lease: LeaseID) {
        switch cause {
        case .asked(let key, let holder, waiter):
            if let flight = known[key] {
                guard flight.holder == holder, flight.lease == lease else {
                    return object(.twoLeases, "\(holder) got \(key), which \(flight.holder) holds")
                }
            } else {
                known[key] = Known(lease: lease, holder: holder, renewedAt: now)
            }
            isRenewed(key)
        case .ticked:
            guard let (key, flight) = known.first(where: { $0.value.waiters.contains { $0.id == waiter } }) else {
                return object(.wrongLeaseAction, "\(waiter) does not wait")
            }
            if now < flight.renewedAt + duration { object(.takenAway, "\(key) from \(flight.holder)") }
            guard flight.waiters[0].id == waiter else { return object(.passedOver, "\(flight.waiters[0].holder)") }
            known[key] = Known(
                lease: lease, holder: flight.waiters[0].holder, renewedAt: now,
                waiters: Array(flight.waiters.dropFirst()))
            isRenewed(key)
        default: object(.wrongLeaseAction, "a lease came of \(cause)")
        }
    }

    /// All that the last cause has led to is done.
    func hasSettled() {
        switch cause {
        case .completed(let key, let lease), .released(let key, let lease, _):
            guard let flight = known[key], flight.lease == lease else { return }
            if !flight.waiters.isEmpty { object(.notShared, "\(flight.waiters.count) still wait for \(key)") }
            known[key] = nil
        case .ticked:
            for (key, flight) in known where flight.renewedAt + duration <= now {
                if !flight.waiters.isEmpty { object(.heldByTheDead, "\(flight.holder) holds \(key)") }
                known[key] = nil
            }
        case .asked, .renewed: break
        }
    }

    private var parked: Int { known.values.reduce(0) { $0 + $1.waiters.count } }

    private func isWaiting(_ waiter: WaiterID, _ key: String) -> Bool {
        known[key]?.waiters.contains { $0.id == waiter } == true
    }

    // MARK: Calls of the upstream

    /// A fetcher asks the upstream under its lease.
    ///
    /// - Parameter isFirst: later attempts may come after it has lost its lease in some trouble.
    func calls(_ flight: FetcherPeer.InFlightFetch, by fetcher: FetcherPeer, isFirst: Bool) {
        world.tally.upstreamCalls += 1
        calls.removeAll { !$0.fetcher.isUp || $0.fetcher.life != $0.life }
        let start = now - duration - CacheScenario.renewal - .milliseconds(300)
        let others = calls.filter { $0.flight.want.key == flight.want.key && $0.flight !== flight }
        if let other = others.first(where: { isHealthy($0.fetcher, since: start) }), isStoreWell(since: start),
            isFirst || isHealthy(fetcher, since: start)
        {
            object(.fetchedTwice, "\(flight.want.key) by \(fetcher.name) beside \(other.fetcher.name)")
        }
        calls.append((flight, fetcher, fetcher.life))
    }

    func called(_ flight: FetcherPeer.InFlightFetch) { calls.removeAll { $0.flight === flight } }

    /// A put or a release had no answer.
    func wasNotHeard(by fetcher: FetcherPeer, since asked: Duration) {
        let start = asked - .seconds(2)
        guard isHealthy(fetcher, since: start), isStoreWell(since: start) else { return }
        object(.clogged, "\(fetcher.name) was not heard")
    }

    private func isHealthy(_ fetcher: FetcherPeer, since time: Duration) -> Bool {
        fetcher.isUp && !fetcher.isPaused && max(fetcher.troubledUntil, fetcher.bornAt) <= time
            && isHealthy(fetcher.connection, since: time)
    }

    private func isStoreWell(since time: Duration) -> Bool {
        guard let store = world.store else { return false }
        return store.isUp && !store.isPaused && max(store.troubledUntil, store.bornAt) <= time
            && isHealthy(store.connection, since: time)
            && store.connection?.registration.map { $0.isLive && !$0.isDraining && $0.joinedAt <= time } == true
    }

    private func isHealthy(_ connection: Connection?, since time: Duration) -> Bool {
        guard world.law == .zeromq, world.broker.isUp, world.broker.troubledUntil <= time, let connection else {
            return false
        }
        return connection.isOpen && max(connection.openedAt, connection.troubledUntil, connection.lastDropAt) <= time
    }

    // MARK: Counts

    func took(_ decision: QuotaStateMachine.Decision, limit: Int, wall: Double) {
        begin(wall)
        // What was noted under a clock that was ahead says nothing.
        let latest = wall + QuotaStateMachine.clockTolerance
        exhaustedAt = exhaustedAt.flatMap { $0 <= latest ? $0 : nil }
        probedAt = probedAt.flatMap { $0 <= latest ? $0 : nil }
        switch decision {
        case .granted:
            world.tally.callsGranted += 1
            count.used += 1
            if count.used > limit { object(.overQuota, "\(count.used) of \(limit) on \(count.day)") }
            if let at = exhaustedAt {
                if wall < at + QuotaStateMachine.probePause {
                    object(.askedExhausted, "\(wall - at) s after the refusal")
                }
                exhaustedAt = nil
                probedAt = wall
            } else if let at = probedAt, wall >= at, wall < at + QuotaStateMachine.probeTime {
                object(.askedExhausted, "a second probe")
            }
        case .refused:
            world.tally.callsRefused += 1
            let isProbing = probedAt.map { wall < $0 + QuotaStateMachine.probeTime } ?? false
            if count.used < limit, exhaustedAt == nil, !isProbing {
                object(.callsReturned, "\(count.used) of \(limit) on \(count.day)")
            }
        }
    }

    func exhausted(wall: Double) {
        begin(wall)
        exhaustedAt = wall
        probedAt = nil
    }

    /// Days only ever begin: a clock that steps back gives none again.
    private func begin(_ wall: Double) {
        let day = Day.inSeoul(secondsSinceEpoch: wall)
        guard day > count.day else { return }
        count = (day, 0)
        exhaustedAt = nil
        probedAt = nil
    }
}
