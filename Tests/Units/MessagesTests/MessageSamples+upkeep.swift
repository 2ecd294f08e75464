import Contracts
import Envelope

extension MessageSamples {
    /// Requests about the cache as a whole.
    static func upkeep() throws -> [MessageVector] {
        let movies = CacheStatsReply.Tier(
            name: "movie", entries: 12, bytes: 40_960, maxEntries: 2_000, maxBytes: 4_194_304, hits: 7, misses: 5,
            evictions: 1, refusals: 0)
        let disk = CacheStatsReply.Tier(
            name: "disk", entries: 40, bytes: 81_920, maxEntries: 500_000, maxBytes: 536_870_912, hits: 3, misses: 2,
            evictions: 0, refusals: 1)
        let stats = CacheStatsReply(
            memory: [movies], disk: disk, diskFailure: nil, failures: 2, fresh: 9, stale: 1, missing: 4)
        let failing = CacheStatsReply(
            memory: [], disk: disk, diskFailure: "disk_full: no room", failures: 0, fresh: 0, stale: 0, missing: 0)
        let (store, reply) = ("cache-store/1", CacheRemovalReply(entries: 3, failures: 1))
        return [
            try request("the cache's figures are asked for", kind: CacheStatsRequest.kind),
            try Self.reply("the cache's figures", kind: CacheStatsRequest.kind, sender: store, stats),
            try Self.reply("a cache without a disk", kind: CacheStatsRequest.kind, sender: store, failing),
            try request("a kind is to go", kind: CachePurgeRequest.kind, CachePurgeRequest(what: "chart.daily")),
            try Self.reply("what has gone", kind: CachePurgeRequest.kind, sender: store, reply),
            try request(
                "a value is pinned", kind: CachePinRequest.kind,
                CachePinRequest(key: "poster.find?code=20199882", source: .demo),
                attachments: ["{}"]),
            try Self.reply("a value was pinned", kind: CachePinRequest.kind, sender: store),
            try request(
                "a value is unpinned", kind: CacheUnpinRequest.kind,
                CacheUnpinRequest(key: "poster.find?code=20199882")),
            try Self.reply(
                "a value was unpinned", kind: CacheUnpinRequest.kind, sender: store, CacheUnpinReply(wasPinned: true)),
            try request("everything is to go", kind: CacheClearRequest.kind),
        ]
    }
}
