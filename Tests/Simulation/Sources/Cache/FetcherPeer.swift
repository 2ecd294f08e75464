import CacheStoreMachines
import Majordomo

/// A fetcher's process: asks the cache, fetches under its lease, renews, puts or releases; one flight a key.
final class FetcherPeer: ClientPeer {
    /// What it does for one key at a time.
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
        let get = CacheRequest.get(key: want.key, holder: name, isRefresh: want.isRefresh)
        let asked = world.now
        request(get, within: end - world.now) { [self] reply in
            guard case .lease(let lease)? = reply else {
                keysUnderWay.remove(want.key)
                return
            }
            guard world.now - asked >= CacheScenario.renewal else { return begin(want, lease) }
            // It may have been on its way for so long that it has passed on.
            request(.renew(key: want.key, lease: lease), within: CacheScenario.renewal) { [self] reply in
                if reply == .done { return begin(want, lease) }
                guard world.now < end else {
                    keysUnderWay.remove(want.key)
                    return
                }
                self.get(want, until: end)
            }
        }
    }

    private func begin(_ want: CacheScenario.Want, _ lease: LeaseID) {
        let flight = InFlightFetch(want, lease, at: world.now)
        planRenewal(of: flight)
        attempt(0, flight)
    }

    private func attempt(_ number: Int, _ flight: InFlightFetch) {
        request(.take(limit: scenario.limit), within: .seconds(1)) { [self] reply in
            guard reply == .done else { return end(flight, failing: true) }
            world.cacheReferee.calls(flight, by: self, isFirst: number == 0)
            later(in: flight.want.attempts[number]) { [self] in
                world.cacheReferee.called(flight)
                if scenario.exhausted?.contains(world.now) == true {
                    request(.exhausted(limit: scenario.limit), within: .seconds(1)) { _ in }
                    return end(flight, failing: true)
                }
                if number + 1 < flight.want.attempts.count { return attempt(number + 1, flight) }
                end(flight, failing: !flight.want.isSuccess)
            }
        }
    }

    private func planRenewal(of flight: InFlightFetch) {
        later(in: CacheScenario.renewal) { [self] in
            guard !flight.isOver else { return }
            request(.renew(key: flight.want.key, lease: flight.lease), within: CacheScenario.renewal) { _ in }
            planRenewal(of: flight)
        }
    }

    private func end(_ flight: InFlightFetch, failing: Bool) {
        flight.isOver = true
        let (key, number) = (flight.want.key, world.dice.number(1...1_000_000))
        let last: CacheRequest =
            failing
            ? .release(key: key, lease: flight.lease, failure: number)
            : .put(key: key, lease: flight.lease, value: number, fetchBegan: flight.began)
        let asked = world.now
        request(last, within: .seconds(1)) { [self] reply in
            keysUnderWay.remove(key)
            if reply == nil { world.cacheReferee.wasNotHeard(by: self, since: asked) }
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
