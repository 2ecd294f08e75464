public import Domain
public import Envelope

/// A retention time in seconds; ten years at most.
public typealias KeepSeconds = Bounded<KeepSecondsBounds>
public enum KeepSecondsBounds: NumberBounds {
    public static let allowed = 0...10 * 366 * 86_400
}

/// The time since the start of a fetch, in milliseconds; a day at most.
public typealias AgeMilliseconds = Bounded<AgeMillisecondsBounds>
public enum AgeMillisecondsBounds: NumberBounds {
    public static let allowed = 0...86_400_000
}

/// A number of items of a list.
public typealias ItemLimit = Bounded<ItemLimitBounds>
public enum ItemLimitBounds: NumberBounds {
    public static let allowed = 0...1_000
}

/// Peeks at many keys at once, without a lease. The stored values are attachments, in the order of the entries that
/// have one.
public struct CachePeekRequest: Codable, Sendable, Equatable {
    /// Keys that are derived from the first key's entry: each prefix with each item of a list among its attributes.
    public struct Following: Codable, Sendable, Equatable {
        /// The attribute with the items, comma separated.
        public let attribute: String
        /// The maximum number of items.
        public let limit: ItemLimit
        /// For example "movie.detail?code=".
        public let prefixes: [String]

        public init(attribute: String, limit: ItemLimit, prefixes: [String]) {
            self.attribute = attribute
            self.limit = limit
            self.prefixes = prefixes
        }

        /// The first items of a list in an attribute.
        public static func items(in list: String, atMost limit: Int) -> [String] {
            guard limit > 0 else { return [] }
            // By bytes in place: a search for characters costs ten times as much.
            var list = list
            return list.withUTF8 { bytes in
                bytes.split(separator: UInt8(ascii: ","), maxSplits: limit).prefix(limit).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
    }

    public static let kind = "cache.peek"
    /// The maximum number of values in one reply.
    public static let maxKeys = 40

    public let keys: [String]
    /// Such a caller also accepts all values in one attachment.
    public let following: Following?

    public init(keys: [String], following: Following? = nil) {
        self.keys = keys
        self.following = following
    }
}

/// The entry of each requested key, in the order of the keys, and then of the keys that are derived from the first.
public struct CachePeekReply: Codable, Sendable, Equatable {
    public let entries: [CachedEntry]
    /// The size of each value when all values are in a single attachment; nil when each has its own.
    public let lengths: [Int]?

    public init(entries: [CachedEntry], lengths: [Int]? = nil) {
        self.entries = entries
        self.lengths = lengths
    }
}

/// The cache entry of a key.
public struct CachedEntry: Codable, Sendable, Equatable {
    /// A value of a later release is kept as it is.
    public struct State: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let fresh = State(rawValue: "fresh")
        public static let stale = State(rawValue: "stale")
        public static let missing = State(rawValue: "missing")

        /// Whether an entry of this state has a value; nil for a state of a later release.
        public var hasValue: Bool? {
            switch self {
            case .fresh, .stale: true
            case .missing: false
            default: nil
            }
        }
    }

    public let key: String
    public let state: State
    /// Seconds since the value was fetched; 0 when missing.
    public let age: Int
    /// Seconds until the value is stale, negative after that; 0 when missing.
    public let ttl: Int
    public let attributes: [String: String]

    public init(key: String, state: State, age: Int = 0, ttl: Int = 0, attributes: [String: String] = [:]) {
        self.key = key
        self.state = state
        self.age = age
        self.ttl = ttl
        self.attributes = attributes
    }

    /// Where the value came from.
    public var source: DataSource { DataSource(attributes: attributes) }
}

extension DataSource {
    /// The attribute of a stored value that names its source; a value from the upstream has none.
    private static let attribute = "source"

    public init(attributes: [String: String]) {
        self = attributes[Self.attribute].map(DataSource.init(rawValue:)) ?? .upstream
    }

    /// The attribute that stores this source with a value.
    public var attributes: [String: String] { self == .upstream ? [:] : [Self.attribute: rawValue] }
}

/// Requests a value or the lease to fetch it; waits while another instance fetches.
public struct CacheGetRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.get"

    public let key: String
    /// The requesting instance: a lease is identified by instance and key.
    public let holder: String
    /// Ignores stored values, even fresh ones; accepts the result of an in-flight fetch.
    public let isRefresh: Bool
    /// The first call of a fetch, which is counted together with the lease: this saves a request.
    public let call: QuotaTakeRequest?

    public init(key: String, holder: String, isRefresh: Bool, call: QuotaTakeRequest? = nil) {
        self.key = key
        self.holder = holder
        self.isRefresh = isRefresh
        self.call = call
    }
}

/// The result of a get. A fresh or stale value is the first attachment.
///
/// With the status `failed` it is the failure of the awaited fetch or a stored failure: then the entry is missing and
/// has the failure's age and time to live.
public struct CacheGetReply: Codable, Sendable, Equatable {
    public let entry: CachedEntry
    /// The lease for the fetch, when the caller must fetch.
    public let lease: String?
    /// The caller waited for the fetch of another instance.
    public let isCollapsed: Bool
    /// Whether the call of the request was counted; false when it was refused, nil when it was not asked for, as
    /// without a lease.
    public let isCallCounted: Bool?

    public init(entry: CachedEntry, lease: String?, isCollapsed: Bool, isCallCounted: Bool? = nil) {
        self.entry = entry
        self.lease = lease
        self.isCollapsed = isCollapsed
        self.isCallCounted = isCallCounted
    }
}

/// Stores the first attachment; acknowledged after it is committed.
public struct CachePutRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.put"

    public let key: String
    public let lease: String?
    public let freshFor: KeepSeconds
    public let attributes: [String: String]
    public let holder: String
    /// The time since the start of the fetch: of two fetches of a key, the later one is kept.
    public let ageMilliseconds: AgeMilliseconds?

    public init(
        key: String, lease: String?, freshFor: KeepSeconds, attributes: [String: String], holder: String,
        ageMilliseconds: AgeMilliseconds? = nil
    ) {
        self.key = key
        self.lease = lease
        self.freshFor = freshFor
        self.attributes = attributes
        self.holder = holder
        self.ageMilliseconds = ageMilliseconds
    }
}

/// Whether a put was stored, or the reason why not.
public struct CachePutReply: Codable, Sendable, Equatable {
    public let isStored: Bool
    public let reason: String?

    public init(isStored: Bool, reason: String?) {
        self.isStored = isStored
        self.reason = reason
    }
}

/// Reports that the holder is still fetching; the reply has no payload.
public struct CacheRenewRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.renew"

    public let key: String
    public let lease: String

    public init(key: String, lease: String) {
        self.key = key
        self.lease = lease
    }
}

/// Ends a lease without a value; waiting callers get the failure. The reply has no payload.
public struct CacheReleaseRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.release"

    public let key: String
    public let lease: String
    public let failure: Failure
    /// How long all callers get the failure; nil when the next caller may fetch.
    public let rememberFor: KeepSeconds?

    public init(key: String, lease: String, failure: Failure, rememberFor: KeepSeconds? = nil) {
        self.key = key
        self.lease = lease
        self.failure = failure
        self.rememberFor = rememberFor
    }
}
