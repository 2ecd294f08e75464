public import Envelope

/// Keeps the first attachment under a key until it is unpinned; the reply has no payload.
public struct CachePinRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.pin"

    public let key: String
    /// Where the attached value came from.
    public let source: DataSource

    public init(key: String, source: DataSource) {
        self.key = key
        self.source = source
    }
}

/// Removes the pin, so that the cache serves the fetched value again; the reply's payload is a `CacheUnpinReply`.
public struct CacheUnpinRequest: Codable, Sendable, Equatable {
    public static let kind = "cache.unpin"

    public let key: String

    public init(key: String) {
        self.key = key
    }
}

public struct CacheUnpinReply: Codable, Sendable, Equatable {
    public let wasPinned: Bool

    public init(wasPinned: Bool) {
        self.wasPinned = wasPinned
    }
}
