import Contracts
import Domain
import Envelope
import ProcessKit
import ServiceKit

/// Answers peeks, which read many keys at once and take no lease.
struct PeekHandler: Sendable {
    let store: TieredStore
    let pins: PinStore
    let clock: WallClock

    func answer(_ request: CachePeekRequest) async throws -> ServiceAnswer {
        guard request.keys.count <= CachePeekRequest.maxKeys else {
            throw Failure.malformedEnvelope("\(request.keys.count) keys, at most \(CachePeekRequest.maxKeys)")
        }
        let now = clock.milliseconds
        let (keys, stored) = try await peek(request, at: now, in: store)
        let pinned = await pins.entries(for: keys)
        var entries: [CachedEntry] = []
        entries.reserveCapacity(keys.count)
        var values: [[UInt8]] = []
        values.reserveCapacity(keys.count)
        var next = 0
        for key in keys {
            var entry = pinned[key]
            if next < stored.count, stored[next].key == key {
                entry = entry ?? stored[next]
                next += 1
            }
            entries.append(CachedEntry(entry, key: key, now: now))
            if let entry { values.append(entry.value) }
        }
        var answer = try Self.answer(entries, values, isPacked: request.following != nil)
        answer.attributes["keys"] = .number(keys.count)
        answer.attributes["hits"] = .number(entries.count { $0.state == .fresh })
        return answer
    }

    /// The stored entries of the requested keys, and of those that follow from the first, in one call to the actor; in
    /// the order of the keys.
    ///
    /// Keys follow from the stored entry, since a pinned one has no attributes.
    private func peek(
        _ request: CachePeekRequest, at now: Int64, in store: isolated TieredStore
    ) async throws -> (keys: [String], stored: [CacheEntry]) {
        let asked = try await store.entries(for: request.keys, at: now)
        guard let following = request.following, let first = asked.first, first.key == request.keys.first else {
            return (request.keys, asked)
        }
        let room = CachePeekRequest.maxKeys - request.keys.count
        let more = following.keys(in: first.attributes, atMost: room)
        return (request.keys + more, asked + (try await store.entries(for: more, at: now)))
    }

    /// - Parameter isPacked: whether the values form one attachment, if they fit into a single frame: frames cost more
    ///   than bytes.
    private static func answer(
        _ entries: [CachedEntry], _ values: [[UInt8]], isPacked: Bool
    ) throws -> ServiceAnswer {
        let size = values.reduce(0) { $0 + $1.count }
        guard isPacked, size <= Envelope.maxFrameBytes else {
            return try .json(CachePeekReply(entries: entries), attachments: values)
        }
        // Appends whole values: `flatMap` would copy byte by byte.
        var packed: [UInt8] = []
        packed.reserveCapacity(size)
        for value in values { packed += value }
        return try .json(CachePeekReply(entries: entries, lengths: values.map { $0.count }), attachments: [packed])
    }
}

extension CachePeekRequest.Following {
    /// The keys that follow from an entry with these attributes; bounded, whatever a message requests.
    fileprivate func keys(in attributes: [String: String], atMost count: Int) -> [String] {
        var keys: [String] = []
        for item in Self.items(in: attributes[attribute] ?? "", atMost: min(limit.value, count)) {
            for prefix in prefixes {
                if keys.count == count { return keys }
                keys.append(prefix + item)
            }
        }
        return keys
    }
}
