import Contracts
import Envelope
import MessageBus

/// Looks into the cache, whose answers tell many keys at once.
extension PartFinder {
    /// What the cache has; nothing when it cannot say, since then the fetchers will know, nor when it is not to be asked.
    ///
    /// - Parameter following: further keys, which the first key's entry tells.
    func peek(_ keys: [String], following: CachePeekRequest.Following? = nil) async throws -> [String: Peeked] {
        policy.isRefresh ? [:] : try await look(keys, following: following)
    }

    /// What the cache has, even when parts are to be fetched anew.
    func look(_ keys: [String], following: CachePeekRequest.Following? = nil) async throws -> [String: Peeked] {
        var found: [String: Peeked] = [:]
        // A look is worth only so much: whoever fetches asks the cache again.
        let deadline = policy.isOffline ? deadline : min(deadline, .now + .milliseconds(500))
        for start in stride(from: 0, to: keys.count, by: CachePeekRequest.maxKeys) {
            let page = Array(keys[start..<min(start + CachePeekRequest.maxKeys, keys.count)])
            let request = BusRequest(
                service: ServiceName.cacheStore, kind: CachePeekRequest.kind, trace: trace,
                payload: try JSONBytes.encode(CachePeekRequest(keys: page, following: following)))
            let what = "peek \(page.count)" + (following.map { " + \($0.attribute)" } ?? "")
            guard var page = try await peeked(request, what: what, deadline: deadline) else { return found }
            // Most often there is one page, into which nothing has to be merged.
            page.merge(found) { newest, _ in newest }
            found = page
        }
        return found
    }

    /// Entries with their values, which come in the same order; nothing unless it is certain which is whose.
    static func paired(_ reply: CachePeekReply, _ attachments: [[UInt8]]) -> [String: Peeked] {
        guard let values = values(of: reply, in: attachments) else { return [:] }
        var found = [String: Peeked](minimumCapacity: reply.entries.count)
        var used = 0
        for entry in reply.entries {
            guard let hasValue = entry.state.hasValue, !hasValue || used < values.count else { return [:] }
            // No part is without any byte.
            let value = hasValue && !values[used].isEmpty ? values[used] : nil
            found[entry.key] = Peeked(entry: entry, value: value)
            if hasValue { used += 1 }
        }
        return used == values.count ? found : [:]
    }

    /// The values, each by itself; nil when they are not what the reply says.
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

    /// Looks into the cache; a broker that is away is told at once, anything else is no answer unless there is nobody else
    /// to ask.
    private func peeked(
        _ request: BusRequest, what: String, deadline: ContinuousClock.Instant
    ) async throws -> [String: Peeked]? {
        let step = log.begin(request, what: what)
        do {
            let reply = try await bus.request(request, deadline: deadline)
            guard reply.envelope.header.status == .ok,
                // What cannot be read is no answer either.
                let told = try? JSONBytes.decode(CachePeekReply.self, from: reply.envelope.payload)
            else {
                log.ended(step, reply)
                guard policy.isOffline else { return nil }
                throw reply.envelope.header.failure ?? .malformedEnvelope("a look into the cache that cannot be read")
            }
            log.ended(step, reply, cache: told.summary)
            return Self.paired(told, reply.envelope.attachments)
        } catch let failure as Failure where failure.code != .brokerLost && !policy.isOffline {
            log.ended(step, failure)
            return nil
        }
    }
}

extension CachePeekReply {
    /// As "14 hit, 6 miss".
    fileprivate var summary: String {
        let counts = [(CachedEntry.State.fresh, "hit"), (.stale, "stale"), (.missing, "miss")].map { state, word in
            (entries.count { $0.state == state }, word)
        }
        return counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
