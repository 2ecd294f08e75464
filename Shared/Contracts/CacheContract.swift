public import BoxOffice
public import Envelope

/// How long something is kept or remembered, in seconds; ten years at most.
public typealias KeepSeconds = Bounded<KeepSecondsBounds>
public enum KeepSecondsBounds: NumberBounds {
    public static let allowed = 0...10 * 366 * 86_400
}

/// How long ago a fetch began, in milliseconds; a day at most.
public typealias AgeMilliseconds = Bounded<AgeMillisecondsBounds>
public enum AgeMillisecondsBounds: NumberBounds {
    public static let allowed = 0...86_400_000
}

/// How many items of a list are meant.
public typealias ItemLimit = Bounded<ItemLimitBounds>
public enum ItemLimitBounds: NumberBounds {
    public static let allowed = 0...1_000
}

/// Looks at many keys at once, takes no lease. The stored values come as attachments, in the order of the entries that
/// have one.
public struct CachePeekRequest: Codable, Sendable, Equatable {
    /// Keys that only the first key's entry tells: each prefix with each item of a list among its attributes.
    public struct Following: Codable, Sendable, Equatable {
        /// The attribute with the items, comma separated.
        public let attribute: String
        /// Items at most.
        public let limit: ItemLimit
        /// As "movie.detail?code=".
        public let prefixes: [String]

        public init(attribute: String, limit: ItemLimit, prefixes: [String]) {
            self.attribute = attribute
            self.limit = limit
            self.prefixes = prefixes
        }

        /// The items of a list as an attribute has it, of a longer one the first.
        public static func items(in list: String, atMost limit: Int) -> [String] {
            guard limit > 0 else { return [] }
            // By bytes, where they lie: finding characters costs ten times as much.
            var list = list
            return list.withUTF8 { bytes in
                bytes.split(separator: UInt8(ascii: ","), maxSplits: limit).prefix(limit).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
    }

    public static let kind = "cache.peek"
    /// Values that one reply may carry.
    public static let maxKeys = 40

    public let keys: [String]
    /// Whoever asks so takes all values in one attachment, too.
    public let following: Following?

    public init(keys: [String], following: Following? = nil) {
        self.keys = keys
        self.following = following
    }
}

/// What is known of each asked key, in the order of the keys, and then of those that follow from the first.
public struct CachePeekReply: Codable, Sendable, Equatable {
    public let entries: [CachedEntry]
    /// Bytes of each value, when they all lie one after the other in a single attachment; nil when each has its own.
    public let lengths: [Int]?

    public init(entries: [CachedEntry], lengths: [Int]? = nil) {
        self.entries = entries
        self.lengths = lengths
    }
}

/// A key as the cache has it.
public struct CachedEntry: Codable, Sendable, Equatable {
    /// A word of a later release is read as it is.
    public struct State: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let fresh = State(rawValue: "fresh")
        public static let stale = State(rawValue: "stale")
        public static let missing = State(rawValue: "missing")

        /// Whether an entry of this state has a value; nil when this release cannot know.
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
    /// Seconds since it was fetched; 0 when missing.
    public let age: Int
    /// Seconds until it is stale, negative since then; 0 when missing.
    public let ttl: Int
    public let attributes: [String: String]

    public init(key: String, state: State, age: Int = 0, ttl: Int = 0, attributes: [String: String] = [:]) {
        self.key = key
        self.state = state
        self.age = age
        self.ttl = ttl
        self.attributes = attributes
    }
}

/// Asks for a value or for the lease to fetch it; waits while another instance fetches.
public struct CacheGetRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.get"

    public let key: String
    /// The instance that asks: a lease belongs to it and the key.
    public let holder: String
    /// A stored value will not do, however fresh; a flight under way will.
    public let isRefresh: Bool

    public init(key: String, holder: String, isRefresh: Bool) {
        self.key = key
        self.holder = holder
        self.isRefresh = isRefresh
    }
}

/// What came of a get. A fresh or stale value is the first attachment.
///
/// With the status `failed` it is the failure of the fetch that was waited for, or one that is remembered: then the entry
/// is missing and has the failure's age and time to live.
public struct CacheGetReply: Codable, Sendable, Equatable {
    public let entry: CachedEntry
    /// The lease to fetch under, when the asker is to fetch.
    public let lease: String?
    /// The asker waited for another's fetch.
    public let isCollapsed: Bool

    public init(entry: CachedEntry, lease: String?, isCollapsed: Bool) {
        self.entry = entry
        self.lease = lease
        self.isCollapsed = isCollapsed
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
    /// Since its fetch began: of two fetches of one key, the one that began later stays.
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

/// Whether a put was stored, and why not.
public struct CachePutReply: Codable, Sendable, Equatable {
    public let isStored: Bool
    public let reason: String?

    public init(isStored: Bool, reason: String?) {
        self.isStored = isStored
        self.reason = reason
    }
}

/// Says that the holder is still fetching; the reply has no payload.
public struct CacheRenewRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.renew"

    public let key: String
    public let lease: String

    public init(key: String, lease: String) {
        self.key = key
        self.lease = lease
    }
}

/// Ends a lease without a value; whoever waits gets the failure. The reply has no payload.
public struct CacheReleaseRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.release"

    public let key: String
    public let lease: String
    public let failure: Failure
    /// How long every caller gets the failure; nil when the next caller may fetch.
    public let rememberFor: KeepSeconds?

    public init(key: String, lease: String, failure: Failure, rememberFor: KeepSeconds? = nil) {
        self.key = key
        self.lease = lease
        self.failure = failure
        self.rememberFor = rememberFor
    }
}
