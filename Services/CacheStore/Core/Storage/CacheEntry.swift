import Storage

/// One stored part: the payload byte for byte, and the attributes that are read without decoding it.
///
/// A stale entry is kept, because a stale answer is better than none when the upstream fails; it is evicted only for
/// lack of room. A class, because each peek passes about twenty entries through several calls: that retains one
/// reference per entry instead of one per string.
public final class CacheEntry: Sendable {
    public let key: String
    /// The payload exactly as received; this store never decodes it.
    public let value: [UInt8]
    /// Small attributes kept beside the payload, such as `films` with a chart's codes separated by commas.
    public let attributes: [String: String]
    /// When its fetch began, in milliseconds since 1970 on the store's wall clock; the later entry replaces the
    /// earlier.
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

    /// The step of this machine's clock up to which an entry does not count as one from the future.
    static let clockTolerance: Int64 = 5_000

    /// Whether it was stored under a wall clock that was ahead: its age is unknown.
    func isFromFuture(at now: Int64) -> Bool {
        // Pinned entries do not age.
        freshUntil != .max && storedAt > now + Self.clockTolerance
    }

    public func isFresh(at now: Int64) -> Bool {
        now < freshUntil && !isFromFuture(at: now)
    }

    /// Milliseconds since it was stored; zero for one from the future.
    public func age(at now: Int64) -> Int64 {
        max(0, now - storedAt)
    }

    /// Milliseconds until it is stale, negative since then. One from the future is stale by as much as its clock was
    /// ahead.
    func timeToLive(at now: Int64) -> Int64 {
        if freshUntil == .max { return .max }
        return isFromFuture(at: now) ? now - storedAt : freshUntil - now
    }

    /// The checksum of all stored fields; compared when the entry is read from disk.
    var checksum: Int64 {
        var checksum = Checksum()
        checksum.add(key)
        checksum.add(value)
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) {
            checksum.add(name)
            checksum.add(text)
        }
        checksum.add(storedAt)
        checksum.add(freshUntil)
        checksum.add(fetchedBy)
        return checksum.value
    }

    /// The bytes that count toward every bound: payload, key and attributes, without the container's overhead.
    public var size: Int {
        attributes.reduce(value.count + key.utf8.count + fetchedBy.utf8.count) { sum, attribute in
            sum + attribute.key.utf8.count + attribute.value.utf8.count
        }
    }

    /// Whether the held entry is newer, so that this late one must not replace it.
    ///
    /// The same instant is not newer: a put that is repeated after a lost acknowledgement is stored again. An entry
    /// from the future is not newer either: any put replaces it.
    func isSuperseded(by heldStoredAt: Int64, at now: Int64) -> Bool {
        heldStoredAt > storedAt && heldStoredAt <= now + Self.clockTolerance
    }
}

extension CacheEntry: Equatable {
    public static func == (one: CacheEntry, other: CacheEntry) -> Bool {
        one.key == other.key && one.value == other.value && one.attributes == other.attributes
            && one.storedAt == other.storedAt && one.freshUntil == other.freshUntil
            && one.fetchedBy == other.fetchedBy
    }
}
