import Contracts
import Domain
import Envelope
import Localization

extension MessageSamples {
    private static let key = "chart.daily?date=2022-01-05"
    private static let fetcher = "chart-fetcher/1"
    private static let store = "cache-store/1"
    private static let parent = HexadecimalID(rawValue: 0x00000000000000b2)
    private static let value = #"{"date":"2022-01-05","entries":[],"kind":"daily"}"#
    private static let fresh = CachedEntry(
        key: key, state: .fresh, age: 60, ttl: 540, attributes: ["films": "20199882,20210028"])
    private static let stale = CachedEntry(key: key, state: .stale, age: 660, ttl: -60)

    /// The requests of the gateway and the fetchers to the cache, and its answers.
    static func cache() throws -> [MessageVector] {
        let missing = CachedEntry(key: "poster.find?code=20199882", state: .missing)
        return [
            try request(
                "many keys are looked at", kind: CachePeekRequest.kind, CachePeekRequest(keys: [key, missing.key])),
            try reply(
                "what the look found", kind: CachePeekRequest.kind, sender: store,
                CachePeekReply(entries: [fresh, missing, stale]), attachments: [value, value]),
            try request(
                "a chart and its films are looked at", kind: CachePeekRequest.kind,
                CachePeekRequest(
                    keys: [key],
                    following: .init(
                        attribute: "films", limit: 2, prefixes: ["movie.detail?code=", "poster.find?code="]))),
            try reply(
                "what that look found, in one attachment", kind: CachePeekRequest.kind, sender: store,
                CachePeekReply(entries: [fresh, missing, stale], lengths: [value.utf8.count, value.utf8.count]),
                attachments: [value + value]),
            try getRequest(
                "a value or a lease is asked for", CacheGetRequest(key: key, holder: fetcher, isRefresh: false)),
            try getRequest("a lease is asked for", CacheGetRequest(key: key, holder: fetcher, isRefresh: true)),
            try getReply("a hit", CacheGetReply(entry: fresh, lease: nil, isCollapsed: false), [value]),
            try getReply(
                "a lease, with the stale value", CacheGetReply(entry: stale, lease: "7", isCollapsed: false), [value]),
            try getReply("a lease", CacheGetReply(entry: missing, lease: "7", isCollapsed: false)),
            try getReply("what another fetched", CacheGetReply(entry: fresh, lease: nil, isCollapsed: true), [value]),
            try reply(
                "what another failed to fetch", kind: CacheGetRequest.kind, sender: store, status: .failed,
                failure: timeout, CacheGetReply(entry: missing, lease: nil, isCollapsed: true)),
            try request(
                "a value is put", kind: CachePutRequest.kind, sender: fetcher, parent: parent,
                CachePutRequest(
                    key: key, lease: "7", freshFor: 600, attributes: ["films": "20199882"], holder: fetcher,
                    ageMilliseconds: 104),
                attachments: [value]),
            try request(
                "a value is put without a lease", kind: CachePutRequest.kind, sender: fetcher,
                CachePutRequest(key: key, lease: nil, freshFor: 0, attributes: [:], holder: fetcher),
                attachments: [value]),
            try reply(
                "a put is stored", kind: CachePutRequest.kind, sender: store,
                CachePutReply(isStored: true, reason: nil)),
            try reply(
                "a put is not stored", kind: CachePutRequest.kind, sender: store,
                CachePutReply(isStored: false, reason: "a newer one is stored")),
            try request(
                "a lease is renewed", kind: CacheRenewRequest.kind, sender: fetcher, parent: parent,
                CacheRenewRequest(key: key, lease: "7")),
            try reply("a lease is the holder's still", kind: CacheRenewRequest.kind, sender: store),
            try request(
                "a lease is given back with a failure", kind: CacheReleaseRequest.kind, sender: fetcher, parent: parent,
                CacheReleaseRequest(key: key, lease: "7", failure: timeout, rememberFor: 300)),
            try reply("a lease was given back", kind: CacheReleaseRequest.kind, sender: store),
        ]
    }

    private static let timeout = Failure(
        .upstreamTimeout, LocalizedText(ko: "업스트림이 제때 답하지 않았습니다.", en: "The upstream did not answer in time."),
        isRetryable: true)

    private static func getRequest(_ name: String, _ payload: CacheGetRequest) throws -> MessageVector {
        try request(name, kind: CacheGetRequest.kind, sender: fetcher, parent: parent, payload)
    }

    private static func getReply(
        _ name: String, _ payload: CacheGetReply, _ attachments: [String] = []
    ) throws -> MessageVector {
        try reply(name, kind: CacheGetRequest.kind, sender: store, payload, attachments: attachments)
    }
}
