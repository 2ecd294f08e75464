/// How a cache took part in an answer, in the words of RFC 9211 (Cache-Status).
public struct CacheStatus: Codable, Sendable, Equatable {
    /// Why the request went forward to the upstream; a word of a later release is read as it is.
    public struct Forward: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing was stored.
        public static let uriMiss = Forward(rawValue: "miss")
        /// What was stored is no longer fresh.
        public static let stale = Forward(rawValue: "stale")
        /// The asker wanted none of it.
        public static let bypass = Forward(rawValue: "bypass")
    }

    /// Answered from the cache.
    public var hit: Bool
    public var fwd: Forward?
    /// Waited for another's request of the same key instead of sending its own.
    public var collapsed: Bool?
    /// The answer was put into the cache.
    public var stored: Bool?
    /// Seconds until it is no longer fresh, negative since it is stale.
    public var ttl: Int?
    /// Seconds since it was fetched.
    public var age: Int?
    /// Anything else worth saying, as "uncached: cache-store is away".
    public var detail: String?

    public init(
        hit: Bool, fwd: Forward? = nil, collapsed: Bool? = nil, stored: Bool? = nil, ttl: Int? = nil, age: Int? = nil,
        detail: String? = nil
    ) {
        self.hit = hit
        self.fwd = fwd
        self.collapsed = collapsed
        self.stored = stored
        self.ttl = ttl
        self.age = age
        self.detail = detail
    }
}

/// Where the time of one answer went.
public struct RequestTiming: Codable, Sendable, Equatable {
    /// From the request's arrival at the worker to its reply.
    public var workMicroseconds: Int
    /// Of these, in upstream calls; nil when there was none.
    public var upstreamMicroseconds: Int?
    /// Upstream attempts, retries included; nil when there was none.
    public var upstreamCalls: Int?
    /// How the first of them ended, one after the other: an HTTP status, or why there was none ("timeout").
    public var upstreamOutcomes: [String]?

    public init(
        workMicroseconds: Int, upstreamMicroseconds: Int? = nil, upstreamCalls: Int? = nil,
        upstreamOutcomes: [String]? = nil
    ) {
        self.workMicroseconds = workMicroseconds
        self.upstreamMicroseconds = upstreamMicroseconds
        self.upstreamCalls = upstreamCalls
        self.upstreamOutcomes = upstreamOutcomes
    }
}

extension CacheStatus {
    /// As "hit", "fwd=miss", "fwd=stale; collapsed".
    public var summary: String {
        var summary = hit ? "hit" : "fwd=\((fwd ?? .uriMiss).rawValue)"
        if collapsed == true { summary += "; collapsed" }
        if stored == true { summary += "; stored" }
        return summary
    }
}
