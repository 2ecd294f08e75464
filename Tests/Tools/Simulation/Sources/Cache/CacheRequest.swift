import CacheStoreMachine
import Majordomo
import MessageBus

/// A fetcher's requests to the store in the simulated world: a few words, as frames.
enum CacheRequest {
    /// The first call of a fetch is counted with the lease.
    case get(key: String, holder: String, isRefresh: Bool, limit: Int)
    case put(key: String, lease: LeaseID, value: Int, fetchBegan: Duration)
    case renew(key: String, lease: LeaseID)
    case release(key: String, lease: LeaseID, failure: Int)
    case take(limit: Int)
    case exhausted(limit: Int)

    var frames: [Frame] {
        let words: [String] =
            switch self {
            case .get(let key, let holder, let isRefresh, let limit):
                ["get", key, holder, isRefresh ? "refresh" : "any", "\(limit)"]
            case .put(let key, let lease, let value, let began):
                ["put", key, "\(lease)", "\(value)", "\(began.wholeMicroseconds)"]
            case .renew(let key, let lease): ["renew", key, "\(lease)"]
            case .release(let key, let lease, let failure): ["release", key, "\(lease)", "\(failure)"]
            case .take(let limit): ["take", "\(limit)"]
            case .exhausted(let limit): ["exhausted", "\(limit)"]
            }
        return words.map { Frame(text: $0) }
    }

    /// How long a worker may keep it: a parked get waits for the fetch of another one.
    var work: Duration {
        if case .get = self { CacheScenario.budget } else { .zero }
    }

    init?(_ frames: ArraySlice<Frame>) {
        let words = frames.map(\.text)
        switch (words.first, words.count) {
        case ("get", 5):
            guard let limit = Int(words[4]) else { return nil }
            self = .get(key: words[1], holder: words[2], isRefresh: words[3] == "refresh", limit: limit)
        case ("put", 5):
            guard let lease = LeaseID(words[2]), let value = Int(words[3]), let began = Int64(words[4]) else {
                return nil
            }
            self = .put(key: words[1], lease: lease, value: value, fetchBegan: .microseconds(began))
        case ("renew", 3):
            guard let lease = LeaseID(words[2]) else { return nil }
            self = .renew(key: words[1], lease: lease)
        case ("release", 4):
            guard let lease = LeaseID(words[2]), let failure = Int(words[3]) else { return nil }
            self = .release(key: words[1], lease: lease, failure: failure)
        case ("take", 2):
            guard let limit = Int(words[1]) else { return nil }
            self = .take(limit: limit)
        case ("exhausted", 2):
            guard let limit = Int(words[1]) else { return nil }
            self = .exhausted(limit: limit)
        default: return nil
        }
    }
}
