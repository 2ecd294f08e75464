internal import Contracts
internal import Envelope
internal import MessageBus

/// Peeks at the cache, which answers for many keys at once.
extension PartFinder {
    /// The cached parts; empty under a policy that fetches parts anew.
    ///
    /// - Parameter following: further keys, which the first key's entry lists.
    func peek(_ keys: [String], following: CachePeekRequest.Following? = nil) async throws -> CachedParts {
        policy.isRefresh ? CachedParts() : try await peekUnderAnyPolicy(keys, following: following)
    }

    /// The cached parts, even under a policy that fetches parts anew.
    ///
    /// - Throws: `Failure` when the broker is unavailable; offline also when the cache does not answer.
    func peekUnderAnyPolicy(_ keys: [String], following: CachePeekRequest.Following? = nil) async throws -> CachedParts
    {
        var parts = CachedParts()
        let deadline = policy.isOffline ? deadline : min(deadline, .now + AssemblyTiming.peekLimit)
        for start in stride(from: 0, to: keys.count, by: CachePeekRequest.maxKeys) {
            let page = Array(keys[start..<min(start + CachePeekRequest.maxKeys, keys.count)])
            let request = BusRequest(
                service: ServiceName.cacheStore, kind: CachePeekRequest.kind, trace: trace,
                payload: try JSONBytes.encode(CachePeekRequest(keys: page, following: following)))
            let what = "peek \(page.count)" + (following.map { " + \($0.attribute)" } ?? "")
            parts.merge(try await peekPage(request, what: what, deadline: deadline))
            if parts.failure != nil { break }
        }
        return parts
    }

    private func peekPage(
        _ request: BusRequest, what: String, deadline: ContinuousClock.Instant
    ) async throws -> CachedParts {
        let step = log.begin(request, what: what)
        let reply: BusReply
        do {
            reply = try await bus.request(request, deadline: deadline)
        } catch let failure as Failure {
            log.end(step, failure)
            return try partsAfterFailedPeek(failure)
        }
        let envelope = reply.envelope
        guard envelope.header.status == .ok,
            let answer = try? JSONBytes.decode(CachePeekReply.self, from: envelope.payload),
            let parts = CachedParts(answer, attachments: envelope.attachments)
        else {
            log.end(step, reply)
            return try partsAfterFailedPeek(envelope.header.failure ?? .unreadablePeek)
        }
        log.end(step, reply, cache: answer.summary)
        return parts
    }

    /// A peek without an answer: the fetchers are called instead, except offline.
    private func partsAfterFailedPeek(_ failure: Failure) throws -> CachedParts {
        if failure.code == .brokerLost || policy.isOffline { throw failure }
        return CachedParts(failure: failure)
    }
}

extension Failure {
    fileprivate static let unreadablePeek = malformedEnvelope("a look into the cache that cannot be read")
}

extension CachePeekReply {
    /// A summary such as "14 hit, 6 miss".
    fileprivate var summary: String {
        let counts = [(CachedEntry.State.fresh, "hit"), (.stale, "stale"), (.missing, "miss")].map { state, word in
            (entries.count { $0.state == state }, word)
        }
        return counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
    }
}
