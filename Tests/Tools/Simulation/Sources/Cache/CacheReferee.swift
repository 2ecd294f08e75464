import CacheStoreMachine
import Domain
import Majordomo
import MessageBus

/// Observes the inputs and actions of the store, keeps leases and counts of its own, and objects when a rule of the
/// cache is broken.
final class CacheReferee {
    private struct Known {
        var lease: LeaseID
        var holder: String
        var renewedAt: Duration
        /// The longest waiting first.
        var waiters: [(id: WaiterID, holder: String)] = []
    }

    /// The last input of the lease machine.
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
    private var calls: [(fetch: FetcherPeer.InFlightFetch, fetcher: FetcherPeer, life: Int)] = []
    private var count = (day: Day.firstChart, used: 0)
    private var exhaustedAt: Double?
    private var probedAt: Double?

    init(in world: World) { self.world = world }

    private var now: Duration { world.now }
    private var duration: Duration { CacheScenario.leases.duration }

    private func object(_ rule: Rule, _ detail: @autoclosure () -> String) { world.referee.object(rule, detail()) }

    // MARK: Inputs of the store

    func storeStarted() { known = [:] }

    func asked(_ key: String, _ holder: String, _ waiter: WaiterID) { cause = .asked(key: key, holder: holder, waiter) }
    func completed(_ key: String, _ lease: LeaseID) { cause = .completed(key: key, lease) }
    func released(_ key: String, _ lease: LeaseID, _ failure: Int) {
        cause = .released(key: key, lease, failure: failure)
    }

    func renewed(_ key: String, _ lease: LeaseID) {
        cause = .renewed(key: key, lease)
        if known[key]?.lease == lease { renewLease(key) }
    }

    func ticked() { cause = .ticked }

    func abandoned(_ waiter: WaiterID) {
        for key in known.keys { known[key]?.waiters.removeAll { $0.id == waiter } }
    }

    private func renewLease(_ key: String) {
        known[key]?.renewedAt = now
        guard let lease = known[key]?.lease else { return }
        // A machine that requests no tick must be detected, too.
        let renewedAt = now
        world.plan(in: duration + .milliseconds(100)) { [self] in
            guard let record = known[key], record.lease == lease, record.renewedAt == renewedAt,
                !record.waiters.isEmpty,
                isStoreHealthy(since: renewedAt)
            else { return }
            object(.heldWithoutRenewal, "\(record.holder) holds \(key), and \(record.waiters.count) wait")
        }
    }

    // MARK: Actions of the store

    func observe(_ action: LeaseStateMachine.Action) {
        world.tally.count(action)
        switch action {
        case .grant(let waiter, let lease): checkGrant(waiter, lease)
        case .park(let waiter):
            guard case .asked(let key, let holder, waiter) = cause, known[key].map({ $0.holder != holder }) == true
            else { return object(.wrongLeaseAction, "\(action)") }
            known[key]?.waiters.append((waiter, holder))
            if parked > CacheScenario.leases.maxParked { object(.clogged, "\(parked) are parked") }
        case .busy:
            if parked < CacheScenario.leases.maxParked { object(.wrongLeaseAction, "busy with \(parked) parked") }
        case .share(let waiter):
            guard case .completed(let key, let lease) = cause, known[key]?.lease == lease, isWaiting(waiter, key) else {
                return object(.endedWithoutLease, "\(action)")
            }
            known[key]?.waiters.removeAll { $0.id == waiter }
        case .fail(let waiter, let bytes):
            guard case .released(let key, let lease, let failure) = cause, known[key]?.lease == lease,
                isWaiting(waiter, key), bytes == Array("\(failure)".utf8)
            else { return object(.endedWithoutLease, "\(action)") }
            known[key]?.waiters.removeAll { $0.id == waiter }
        case .staleLease(let lease):
            if known.values.contains(where: { $0.lease == lease }) { object(.wrongLeaseAction, "\(lease) is current") }
        }
    }

    private func checkGrant(_ waiter: WaiterID, _ lease: LeaseID) {
        switch cause {
        case .asked(let key, let holder, waiter):
            if let record = known[key] {
                guard record.holder == holder, record.lease == lease else {
                    return object(.twoLeases, "\(holder) got \(key), which \(record.holder) holds")
                }
            } else {
                known[key] = Known(lease: lease, holder: holder, renewedAt: now)
            }
            renewLease(key)
        case .ticked:
            guard let (key, record) = known.first(where: { $0.value.waiters.contains { $0.id == waiter } }) else {
                return object(.wrongLeaseAction, "\(waiter) does not wait")
            }
            if now < record.renewedAt + duration { object(.takenWhileRenewed, "\(key) from \(record.holder)") }
            guard record.waiters[0].id == waiter else { return object(.passedOver, "\(record.waiters[0].holder)") }
            known[key] = Known(
                lease: lease, holder: record.waiters[0].holder, renewedAt: now,
                waiters: Array(record.waiters.dropFirst()))
            renewLease(key)
        default: object(.wrongLeaseAction, "a lease came of \(cause)")
        }
    }

    /// All actions that follow from the last cause are done.
    func checkSettled() {
        switch cause {
        case .completed(let key, let lease), .released(let key, let lease, _):
            guard let record = known[key], record.lease == lease else { return }
            if !record.waiters.isEmpty { object(.notShared, "\(record.waiters.count) still wait for \(key)") }
            known[key] = nil
        case .ticked:
            for (key, record) in known where record.renewedAt + duration <= now {
                if !record.waiters.isEmpty { object(.heldWithoutRenewal, "\(record.holder) holds \(key)") }
                known[key] = nil
            }
        case .asked, .renewed: break
        }
    }

    private var parked: Int { known.values.reduce(0) { $0 + $1.waiters.count } }

    private func isWaiting(_ waiter: WaiterID, _ key: String) -> Bool {
        known[key]?.waiters.contains { $0.id == waiter } == true
    }

    // MARK: Upstream calls

    /// A fetcher calls the upstream under its lease.
    ///
    /// - Parameter isFirst: later attempts may follow the loss of its lease during a fault.
    func callBegan(_ fetch: FetcherPeer.InFlightFetch, by fetcher: FetcherPeer, isFirst: Bool) {
        world.tally.upstreamCalls += 1
        calls.removeAll { !$0.fetcher.isUp || $0.fetcher.life != $0.life }
        let start = now - duration - CacheScenario.renewal - .milliseconds(300)
        let others = calls.filter { $0.fetch.want.key == fetch.want.key && $0.fetch !== fetch }
        if let other = others.first(where: { isHealthy($0.fetcher, since: start) }), isStoreHealthy(since: start),
            isFirst || isHealthy(fetcher, since: start)
        {
            object(.fetchedTwice, "\(fetch.want.key) by \(fetcher.name) beside \(other.fetcher.name)")
        }
        calls.append((fetch, fetcher, fetcher.life))
    }

    func callEnded(_ fetch: FetcherPeer.InFlightFetch) { calls.removeAll { $0.fetch === fetch } }

    /// A put or a release got no answer.
    func messageLost(by fetcher: FetcherPeer, since asked: Duration) {
        let start = asked - .seconds(2)
        guard isHealthy(fetcher, since: start), isStoreHealthy(since: start) else { return }
        object(.clogged, "\(fetcher.name) was not heard")
    }

    private func isHealthy(_ fetcher: FetcherPeer, since time: Duration) -> Bool {
        fetcher.isUp && !fetcher.isPaused && max(fetcher.troubledUntil, fetcher.bornAt) <= time
            && isHealthy(fetcher.connection, since: time)
    }

    private func isStoreHealthy(since time: Duration) -> Bool {
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

    // MARK: Call counts

    func took(_ decision: QuotaStateMachine.Decision, limit: Int, wall: Double) {
        begin(wall)
        // A count from a clock that was ahead is ignored.
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
        case .reserved: object(.callsReturned, "for a reserve that no take has")
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

    /// A day begins only once: a clock that steps back starts no earlier day again.
    private func begin(_ wall: Double) {
        let day = Day.inSeoul(secondsSinceEpoch: wall)
        guard day > count.day else { return }
        count = (day, 0)
        exhaustedAt = nil
        probedAt = nil
    }
}
