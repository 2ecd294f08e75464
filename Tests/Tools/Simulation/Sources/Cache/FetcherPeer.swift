import CacheStoreMachine
import Majordomo

/// A fetcher's process: asks the cache, fetches under its lease, renews, puts or releases; one in-fetch fetch per key.
final class FetcherPeer: ClientPeer {
    /// The fetch in progress for one key.
    final class InFlightFetch {
        let want: CacheScenario.Want
        let lease: LeaseID
        let began: Duration
        var isOver = false

        init(_ want: CacheScenario.Want, _ lease: LeaseID, at began: Duration) {
            self.want = want
            self.lease = lease
            self.began = began
        }
    }

    private static let service = "cache"
    private let scenario: CacheScenario
    private var keysUnderWay: Set<String> = []

    init(number: Int, query: UInt64, scenario: CacheScenario, in world: World) {
        self.scenario = scenario
        super.init(name: "fetcher/\(number)", query: query, in: world)
    }

    override func started() {
        keysUnderWay = []
        super.started()
    }

    func want(_ want: CacheScenario.Want) {
        guard isUp, !isPaused, keysUnderWay.insert(want.key).inserted else { return }
        get(want, until: world.now + CacheScenario.budget)
    }

    private func get(_ want: CacheScenario.Want, until end: Duration) {
        let get = CacheRequest.get(
            key: want.key, holder: name, isRefresh: want.isRefresh, limit: scenario.limit)
        let asked = world.now
        request(get, within: end - world.now) { [self] reply in
            guard case .lease(let lease, let isCallCounted)? = reply else {
                keysUnderWay.remove(want.key)
                return
            }
            guard world.now - asked >= CacheScenario.renewal else { return begin(want, lease, isCallCounted) }
            // The reply may have taken so long that the lease has passed on.
            request(.renew(key: want.key, lease: lease), within: CacheScenario.renewal) { [self] reply in
                if reply == .done { return begin(want, lease, isCallCounted) }
                guard world.now < end else {
                    keysUnderWay.remove(want.key)
                    return
                }
                self.get(want, until: end)
            }
        }
    }

    private func begin(_ want: CacheScenario.Want, _ lease: LeaseID, _ isCallCounted: Bool) {
        let fetch = InFlightFetch(want, lease, at: world.now)
        planRenewal(of: fetch)
        if isCallCounted { call(0, fetch) } else { attempt(0, fetch) }
    }

    private func attempt(_ number: Int, _ fetch: InFlightFetch) {
        request(.take(limit: scenario.limit), within: .seconds(1)) { [self] reply in
            if reply == .done { call(number, fetch) } else { end(fetch, failing: true) }
        }
    }

    private func call(_ number: Int, _ fetch: InFlightFetch) {
        world.cacheReferee.callBegan(fetch, by: self, isFirst: number == 0)
        later(in: fetch.want.attempts[number]) { [self] in
            world.cacheReferee.callEnded(fetch)
            if scenario.exhausted?.contains(world.now) == true {
                request(.exhausted(limit: scenario.limit), within: .seconds(1)) { _ in }
                return end(fetch, failing: true)
            }
            if number + 1 < fetch.want.attempts.count { return attempt(number + 1, fetch) }
            end(fetch, failing: !fetch.want.isSuccess)
        }
    }

    private func planRenewal(of fetch: InFlightFetch) {
        later(in: CacheScenario.renewal) { [self] in
            guard !fetch.isOver else { return }
            request(.renew(key: fetch.want.key, lease: fetch.lease), within: CacheScenario.renewal) { _ in }
            planRenewal(of: fetch)
        }
    }

    private func end(_ fetch: InFlightFetch, failing: Bool) {
        fetch.isOver = true
        let (key, number) = (fetch.want.key, world.dice.number(1...1_000_000))
        let last: CacheRequest =
            failing
            ? .release(key: key, lease: fetch.lease, failure: number)
            : .put(key: key, lease: fetch.lease, value: number, fetchBegan: fetch.began)
        let asked = world.now
        request(last, within: .seconds(1)) { [self] reply in
            keysUnderWay.remove(key)
            if reply == nil { world.cacheReferee.messageLost(by: self, since: asked) }
        }
    }

    private func request(
        _ request: CacheRequest, within time: Duration, _ ended: @escaping (CacheReply?) -> Void
    ) {
        ask(Self.service, request.frames, isIdempotent: true, within: time, work: request.work) { ending in
            guard case .reply(_, let content) = ending else { return ended(nil) }
            ended(CacheReply(content))
        }
    }
}
