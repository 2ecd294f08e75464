public import Contracts
public import Envelope

/// The cache's reply to one peek: the entries of the requested keys.
public struct CachedParts: Sendable {
    /// A stored value with its age.
    public struct Part: Sendable {
        public let entry: CachedEntry
        /// nil for a key that is not stored.
        public let value: [UInt8]?

        public init(entry: CachedEntry, value: [UInt8]?) {
            self.entry = entry
            self.value = value
        }
    }

    private var parts: [String: Part]
    /// Why the cache did not answer for some of the keys; nil when it did: then a key without a value is not stored.
    public internal(set) var failure: Failure?

    init(_ parts: [String: Part] = [:], failure: Failure? = nil) {
        self.parts = parts
        self.failure = failure
    }

    /// nil when the cache did not report the key.
    public subscript(key: String) -> Part? { parts[key] }

    mutating func merge(_ other: CachedParts) {
        // Usually there is one page, so no merge is needed.
        if parts.isEmpty { parts = other.parts } else { parts.merge(other.parts) { _, newest in newest } }
        failure = other.failure ?? failure
    }

    func merging(_ other: CachedParts) -> CachedParts {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Entries with their values, which come in the same order; nil when the values cannot be assigned with certainty.
    init?(_ reply: CachePeekReply, attachments: [[UInt8]]) {
        guard let values = Self.values(of: reply, in: attachments) else { return nil }
        var parts = [String: Part](minimumCapacity: reply.entries.count)
        var used = 0
        for entry in reply.entries {
            guard let hasValue = entry.state.hasValue, !hasValue || used < values.count else { return nil }
            // No stored part is empty.
            let value = hasValue && !values[used].isEmpty ? values[used] : nil
            parts[entry.key] = Part(entry: entry, value: value)
            if hasValue { used += 1 }
        }
        guard used == values.count else { return nil }
        self.init(parts)
    }

    /// The separate values; nil when they do not match the reply.
    private static func values(of reply: CachePeekReply, in attachments: [[UInt8]]) -> [[UInt8]]? {
        guard let lengths = reply.lengths else { return attachments }
        guard let packed = attachments.first, attachments.count == 1 else { return nil }
        var rest = packed[...]
        var values: [[UInt8]] = []
        for length in lengths {
            guard 0...rest.count ~= length else { return nil }
            values.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return rest.isEmpty ? values : nil
    }
}
