/// One stored part: the payload byte for byte, and the few facts that are asked about without decoding it.
///
/// An entry that is no longer fresh stays where it is, because a stale answer is better than none when the upstream
/// fails; only room evicts it. An object, since each look passes twenty of them from hand to hand: that counts one reference
/// and not those of all its texts.
public final class CacheEntry: Sendable {
    public let key: String
    /// The payload exactly as it came; nothing in this store looks inside.
    public let value: [UInt8]
    /// Small facts kept beside the payload, such as `films` with a chart's codes separated by commas.
    public let attributes: [String: String]
    /// When its fetch began, in milliseconds since 1970 on the store's wall clock; the entry with the later one wins.
    public let storedAt: Int64
    /// Milliseconds since 1970 on the wall clock, exclusive: at this instant the entry is stale.
    public let freshUntil: Int64
    /// The instance that fetched it, such as `chart-fetcher/1`.
    public let fetchedBy: String

    public init(
        key: String, value: [UInt8], attributes: [String: String] = [:], storedAt: Int64, freshUntil: Int64,
        fetchedBy: String
    ) {
        self.key = key
        self.value = value
        self.attributes = attributes
        self.storedAt = storedAt
        self.freshUntil = freshUntil
        self.fetchedBy = fetchedBy
    }

    public func isFresh(at now: Int64) -> Bool {
        now < freshUntil
    }

    /// Milliseconds since it was stored, zero while the wall clock stands before that.
    public func age(at now: Int64) -> Int64 {
        max(0, now - storedAt)
    }

    /// The bytes it counts for in every bound: payload, key and attributes, without the container's own overhead.
    public var size: Int {
        attributes.reduce(value.count + key.utf8.count + fetchedBy.utf8.count) { sum, attribute in
            sum + attribute.key.utf8.count + attribute.value.utf8.count
        }
    }

    /// Whether a held entry is newer, so that this one, which came late, must not replace it.
    ///
    /// The same instant is not newer: a put that is repeated after a lost acknowledgement is stored again.
    func isSuperseded(by heldStoredAt: Int64) -> Bool {
        heldStoredAt > storedAt
    }
}

extension CacheEntry: Equatable {
    public static func == (one: CacheEntry, other: CacheEntry) -> Bool {
        one.key == other.key && one.value == other.value && one.attributes == other.attributes
            && one.storedAt == other.storedAt && one.freshUntil == other.freshUntil
            && one.fetchedBy == other.fetchedBy
    }
}
