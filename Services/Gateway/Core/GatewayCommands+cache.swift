import Contracts
import Envelope
import MessageBus

extension GatewayCommands {
    public func cacheStats() async throws -> Answer {
        let bytes = try await askCache(CacheStatsRequest.kind)
        if presentation.isJSON { return Answer(output: bytes) }
        let stats = try JSONBytes.decode(CacheStatsReply.self, from: bytes)
        return Answer(lines: CacheText(language: presentation.language).lines(stats))
    }

    /// - Parameter what: a key, a kind or a kind's first word.
    public func purge(_ what: String) async throws -> Answer {
        try removed(
            await askCache(CachePurgeRequest.kind, payload: JSONBytes.encode(CachePurgeRequest(what: what))))
    }

    public func clearCache() async throws -> Answer {
        try removed(await askCache(CacheClearRequest.kind))
    }

    private func removed(_ bytes: [UInt8]) throws -> Answer {
        if presentation.isJSON { return Answer(output: bytes) }
        let reply = try JSONBytes.decode(CacheRemovalReply.self, from: bytes)
        return Answer(lines: CacheText(language: presentation.language).removed(reply))
    }

    private func askCache(_ kind: String, payload: [UInt8] = []) async throws -> [UInt8] {
        try await bus.ask(ServiceName.cacheStore, kind, payload: payload, deadline: deadline)
    }
}
