public import Domain
public import Envelope

/// The number of calls allowed for a day.
public typealias CallLimit = Bounded<CallLimitBounds>
public enum CallLimitBounds: NumberBounds {
    public static let allowed = 1...1_000_000_000
}

/// Calls that a program has made without counting them at the store.
public typealias UncountedCalls = Bounded<UncountedCallsBounds>
public enum UncountedCallsBounds: NumberBounds {
    public static let allowed = 0...1_000_000
}

/// Takes one call of a day's quota before the call is made; the reply's payload is a `QuotaTakeReply`.
///
/// The class in the request's header decides how many calls of the day it must leave.
public struct QuotaTakeRequest: Codable, Sendable, Equatable {
    public static let kind = "quota.take"

    /// "KOBIS", "Kakao".
    public let upstream: String
    /// A fingerprint of the key, never the key.
    public let key: String
    public let limit: CallLimit
    /// Calls since the last take that were made while the store was unavailable.
    public let uncounted: UncountedCalls

    public init(upstream: String, key: String, limit: CallLimit, uncounted: UncountedCalls) {
        self.upstream = upstream
        self.key = key
        self.limit = limit
        self.uncounted = uncounted
    }
}

/// Whether the call may be made, and the remaining calls of the day after it.
public struct QuotaTakeReply: Codable, Sendable, Equatable {
    public let isGranted: Bool
    /// Refused only because the remaining calls are reserved for higher classes; nil means false.
    public let isReserved: Bool?
    public let status: QuotaStatus

    public init(isGranted: Bool, isReserved: Bool? = nil, status: QuotaStatus) {
        self.isGranted = isGranted
        self.isReserved = isReserved
        self.status = status
    }
}

/// Reports that the upstream refused a call because the quota of the day is used up; the reply has no payload.
public struct QuotaExhaustedRequest: Codable, Sendable, Equatable {
    public static let kind = "quota.exhausted"

    public let upstream: String
    public let key: String
    public let limit: CallLimit

    public init(upstream: String, key: String, limit: CallLimit) {
        self.upstream = upstream
        self.key = key
        self.limit = limit
    }
}

/// Requests all accounts, with an empty payload; the reply's payload is a `QuotaListReply`.
public enum QuotaListRequest {
    public static let kind = "quota.list"
}

public struct QuotaListReply: Codable, Sendable, Equatable {
    /// By upstream, then by key.
    public let accounts: [QuotaStatus]
    /// Why the counts are lost when the process ends; nil when they are stored.
    public let diskFailure: String?

    public init(accounts: [QuotaStatus], diskFailure: String? = nil) {
        self.accounts = accounts
        self.diskFailure = diskFailure
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accounts, forKey: .accounts)
        try container.encode(diskFailure, forKey: .diskFailure)
    }
}

/// The calls of a day that a key has used at an upstream.
public struct QuotaStatus: Codable, Sendable, Equatable {
    public let upstream: String
    public let key: String
    /// The day in Seoul: "2026-11-21".
    public let day: String
    public let used: Int
    public let left: Int
    public let limit: Int
    /// When the count is reset: RFC 3339 in UTC.
    public let resetsAt: String
    /// Whether the upstream reported that the quota is used up, regardless of the count here.
    public let isExhausted: Bool

    public init(
        upstream: String, key: String, day: String, used: Int, left: Int, limit: Int, resetsAt: String,
        isExhausted: Bool
    ) {
        self.upstream = upstream
        self.key = key
        self.day = day
        self.used = used
        self.left = left
        self.limit = limit
        self.resetsAt = resetsAt
        self.isExhausted = isExhausted
    }
}

extension RequestClass {
    /// The calls of a day that this class leaves to the classes above it: 0, 200 or 500 of 3,000 calls and more, the
    /// same share of fewer.
    public func reserve(of limit: CallLimit) -> Int {
        switch self {
        case .interactive: 0
        case .web: min(200, limit.value / 15)
        default: min(500, limit.value / 6)
        }
    }
}
