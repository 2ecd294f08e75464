/// The role of the cache in an answer, in the terms of RFC 9211 (Cache-Status).
public struct CacheStatus: Codable, Sendable, Equatable {
    /// Why the request was forwarded to the upstream; a value of a later release is kept as it is.
    public struct Forward: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing was stored.
        public static let uriMiss = Forward(rawValue: "miss")
        /// The stored value is no longer fresh.
        public static let stale = Forward(rawValue: "stale")
        /// The caller requested that the cache is not used.
        public static let bypass = Forward(rawValue: "bypass")
    }

    /// Answered from the cache.
    public var hit: Bool
    public var fwd: Forward?
    /// Waited for another request of the same key instead of sending its own.
    public var collapsed: Bool?
    /// The answer was stored in the cache.
    public var stored: Bool?
    /// Seconds until the value is no longer fresh; negative for a stale value.
    public var ttl: Int?
    /// Seconds since the value was fetched.
    public var age: Int?
    /// Additional information, for example why a value was not cached.
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

/// The durations within one answer.
public struct RequestTiming: Codable, Sendable, Equatable {
    /// From the arrival of the request at the worker to its reply.
    public var workMicroseconds: Int
    /// The part spent in upstream calls; nil when there was none.
    public var upstreamMicroseconds: Int?
    /// Upstream attempts, retries included; nil when there was none.
    public var upstreamCalls: Int?
    /// The outcomes of the first attempts in order: an HTTP status, or the reason for its absence ("timeout").
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
    /// For example "hit", "fwd=miss", "fwd=stale; collapsed".
    public var summary: String {
        var summary = hit ? "hit" : "fwd=\((fwd ?? .uriMiss).rawValue)"
        if collapsed == true { summary += "; collapsed" }
        if stored == true { summary += "; stored" }
        return summary
    }
}
