import Contracts
import Envelope
import ServiceKit

/// Answers looks at many keys at once, which take no lease.
struct PeekDesk: Sendable {
    let store: TieredStore
    let pins: PinBoard
    let clock: WallClock

    func answer(_ request: CachePeekRequest) async throws -> ServiceAnswer {
        guard request.keys.count <= CachePeekRequest.maxKeys else {
            throw Failure.malformedEnvelope("\(request.keys.count) keys, at most \(CachePeekRequest.maxKeys)")
        }
        let now = clock.milliseconds
        var keys = request.keys
        var stored = try await look(keys, at: now)
        if let following = request.following, let first = keys.first.flatMap({ stored[$0] }) {
            let more = following.keys(in: first.attributes, atMost: CachePeekRequest.maxKeys - keys.count)
            var all = try await look(more, at: now)
            // Few into many, where they lie: copying the entries costs more than finding them.
            all.merge(stored) { $1 }
            stored = all
            keys += more
        }
        var entries: [CachedEntry] = []
        var values: [[UInt8]] = []
        for key in keys {
            let entry = stored[key]
            entries.append(CachedEntry(entry, key: key, now: now))
            if let entry { values.append(entry.value) }
        }
        var answer = try Self.answer(entries, values, isPacked: request.following != nil)
        answer.remarks["keys"] = .number(keys.count)
        answer.remarks["hits"] = .number(entries.count { $0.state == .fresh })
        return answer
    }

    private func look(_ keys: [String], at now: Int64) async throws -> [String: CacheEntry] {
        var found = try await store.entries(for: keys, at: now)
        found.merge(await pins.entries(for: keys)) { $1 }
        return found
    }

    /// - Parameter isPacked: as one attachment, unless they are too much for a single frame: frames cost more than bytes.
    private static func answer(
        _ entries: [CachedEntry], _ values: [[UInt8]], isPacked: Bool
    ) throws -> ServiceAnswer {
        let size = values.reduce(0) { $0 + $1.count }
        guard isPacked, size <= Envelope.maxFrameBytes else {
            return try .json(CachePeekReply(entries: entries), attachments: values)
        }
        // Value by value: flattening goes byte by byte.
        var packed: [UInt8] = []
        packed.reserveCapacity(size)
        for value in values { packed += value }
        return try .json(CachePeekReply(entries: entries, lengths: values.map(\.count)), attachments: [packed])
    }
}

extension CachePeekRequest.Following {
    /// The keys that an entry of these attributes tells; no more are made, whatever a message says.
    fileprivate func keys(in attributes: [String: String], atMost count: Int) -> [String] {
        var keys: [String] = []
        for item in Self.items(in: attributes[attribute] ?? "", atMost: min(limit, count)) {
            for prefix in prefixes {
                if keys.count == count { return keys }
                keys.append(prefix + item)
            }
        }
        return keys
    }
}
