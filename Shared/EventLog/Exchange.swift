/// One request and what became of it, put together from what the broker, the asker and the worker say.
public struct Exchange: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        /// With the reply's status: "ok", "stale" or "failed"; nil when the worker's own event is missing.
        case answered(String?)
        /// By the broker, with its code.
        case refused(String)
        case cancelled
        /// Nothing more has been seen of it.
        case open
    }

    /// How many cache keys were asked for, and how many of them were there and fresh.
    public struct Lookup: Sendable, Equatable {
        public var keys: Int
        public var hits: Int

        public init(keys: Int, hits: Int) {
            self.keys = keys
            self.hits = hits
        }
    }

    /// 32 hexadecimal digits: the query's and the call's.
    public let request: String
    /// When the first of its events was said, in microseconds since 1970.
    public var beganAt: Int64
    /// The call that caused it, 16 digits; nil for a call of the gateway's own.
    public var parent: String?
    /// As "gateway/4711".
    public var asker: String?
    public var service: String?
    /// Who had it last.
    public var instance: String?
    public var kind: String?
    /// What it is about: a cache key, or the gateway's words.
    public var subject: String?
    public var outcome = Outcome.open
    /// Of an answer "failed" or "stale".
    public var code: String?
    /// How often it was handed out.
    public var attempts = 0
    public var queuedMicroseconds: Int?
    /// From the broker's getting the request to its passing on the answer, or to its end without one.
    public var tookMicroseconds: Int?
    public var upstreamMicroseconds: Int?
    /// In words of RFC 9211.
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

    /// The kind and what it is about, as "movie.detail?code=20199882" or "cache.get movie.detail?code=20199882".
    public var title: String {
        guard let kind else { return [service, subject].compactMap(\.self).joined(separator: " ") }
        guard let subject else { return kind }
        return subject.hasPrefix(kind) ? subject : "\(kind) \(subject)"
    }
}
