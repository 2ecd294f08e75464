/// One request and its outcome, assembled from events of the broker, the requester and the worker.
public struct Exchange: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        /// With the reply status: "ok", "stale" or "failed"; nil when the event of the worker is missing.
        case answered(String?)
        /// By the broker, with its code.
        case refused(String)
        case cancelled
        /// No event of its end.
        case open
    }

    /// The number of requested cache keys, and of those with a fresh value.
    public struct Lookup: Sendable, Equatable {
        public var keys: Int
        public var hits: Int

        public init(keys: Int, hits: Int) {
            self.keys = keys
            self.hits = hits
        }
    }

    /// 32 hexadecimal digits: query id and call id.
    public let request: String
    /// Time of its first event, in microseconds since 1970.
    public var beganAt: Int64
    /// The call that caused it, 16 digits; nil for a call of the gateway.
    public var parent: String?
    /// The requester, for example "gateway/4711".
    public var requester: String?
    public var service: String?
    /// The last instance to which it was dispatched.
    public var instance: String?
    public var kind: String?
    /// Its subject: a cache key, or the text of the gateway.
    public var subject: String?
    public var outcome = Outcome.open
    /// Failure code of an answer "failed" or "stale".
    public var code: String?
    /// Number of times it was dispatched.
    public var attempts = 0
    public var queuedMicroseconds: Int?
    /// From the arrival of the request at the broker to the forwarding of the answer, or to its end without an answer.
    public var tookMicroseconds: Int?
    public var upstreamMicroseconds: Int?
    /// The cache status, in terms of RFC 9211.
    public var cache: String?
    public var lookup: Lookup?

    public init(request: String, beganAt: Int64) {
        self.request = request
        self.beganAt = beganAt
    }

    public var query: String { String(request.prefix(16)) }
    public var call: String { String(request.suffix(16)) }

    public var hasFailed: Bool {
        switch outcome {
        case .answered(let status): status == "failed"
        case .refused: true
        case .cancelled, .open: false
        }
    }

    /// The kind and the subject: "movie.detail?code=20199882" or "cache.get movie.detail?code=20199882".
    public var title: String {
        guard let kind else { return [service, subject].compactMap(\.self).joined(separator: " ") }
        guard let subject else { return kind }
        return subject.hasPrefix(kind) ? subject : "\(kind) \(subject)"
    }
}
