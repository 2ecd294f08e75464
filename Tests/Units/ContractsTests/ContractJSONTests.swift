import Contracts
import Domain
import Envelope
import Localization
import Testing

/// The JSON on the wire: fields may be added, but not removed or renamed.
@Suite struct ContractJSONTests {
    private static let entry = CachedEntry(
        key: "chart.daily?date=2022-01-05", state: .fresh, age: 60, ttl: 540, attributes: ["films": "20199882,20210028"]
    )

    @Test func `requests of the fetchers`() throws {
        let date = try #require(Day(iso: "2022-01-05"))
        try expect(
            ChartRequest(.daily(date), isRefresh: false), #"{"date":"2022-01-05","isRefresh":false,"kind":"daily"}"#)
        try expect(DetailRequest(code: "2023C632", isRefresh: true), #"{"code":"2023C632","isRefresh":true}"#)
        try expect(
            PosterRequest(code: "20199882", title: "경관의 \"피\"", year: 2022, isRefresh: false),
            #"{"code":"20199882","isRefresh":false,"title":"경관의 \"피\"","year":2022}"#)
        try expect(
            PosterRequest(code: nil, title: "a/b", year: nil, isRefresh: false), #"{"isRefresh":false,"title":"a/b"}"#)
    }

    @Test func `peeking at the cache`() throws {
        try expect(CachePeekRequest(keys: ["b", "a"]), #"{"keys":["b","a"]}"#)
        try expect(
            CachePeekReply(entries: [Self.entry, CachedEntry(key: "b", state: .missing)]),
            #"""
            {"entries":[{"age":60,"attributes":{"films":"20199882,20210028"},"key":"chart.daily?date=2022-01-05","state":"fresh","ttl":540},{"age":0,"attributes":{},"key":"b","state":"missing","ttl":0}]}
            """#)
    }

    @Test func `the messages of a lease have these bytes`() throws {
        try expect(
            CacheGetRequest(key: "k", holder: "chart-fetcher/1", isRefresh: false),
            #"{"holder":"chart-fetcher/1","isRefresh":false,"key":"k"}"#)
        try expect(
            CacheGetReply(entry: CachedEntry(key: "k", state: .stale, age: 9, ttl: -1), lease: "7", isCollapsed: true),
            #"{"entry":{"age":9,"attributes":{},"key":"k","state":"stale","ttl":-1},"isCollapsed":true,"lease":"7"}"#)
        let call = QuotaTakeRequest(upstream: "KOBIS", key: "3f", limit: 3000, uncounted: 2)
        try expect(
            CacheGetRequest(key: "k", holder: "h", isRefresh: true, call: call),
            #"{"call":{"key":"3f","limit":3000,"uncounted":2,"upstream":"KOBIS"},"holder":"h","isRefresh":true,"key":"k"}"#
        )
        try expect(
            CacheGetReply(
                entry: CachedEntry(key: "k", state: .missing), lease: "7", isCollapsed: false, isCallCounted: true),
            #"{"entry":{"age":0,"attributes":{},"key":"k","state":"missing","ttl":0},"isCallCounted":true,"isCollapsed":false,"lease":"7"}"#
        )
        try expect(
            CachePutRequest(key: "k", lease: nil, freshFor: 600, attributes: ["films": ""], holder: "h"),
            #"{"attributes":{"films":""},"freshFor":600,"holder":"h","key":"k"}"#)
        try expect(CachePutReply(isStored: false, reason: "newer"), #"{"isStored":false,"reason":"newer"}"#)
        try expect(CacheRenewRequest(key: "k", lease: "7"), #"{"key":"k","lease":"7"}"#)
        let failure = Failure(.busy, LocalizedText(ko: "가", en: "b"), isRetryable: true)
        try expect(
            CacheReleaseRequest(key: "k", lease: "7", failure: failure),
            #"{"failure":{"code":"busy","isRetryable":true,"message":{"en":"b","ko":"가"}},"key":"k","lease":"7"}"#)
    }

    @Test func `the kinds of requests have these names`() {
        #expect(
            [ChartRequest.dailyKind, DetailRequest.kind, PosterRequest.kind] == [
                "chart.daily", "movie.detail", "poster.find",
            ])
        #expect(
            [
                CachePeekRequest.kind, CacheGetRequest.kind, CachePutRequest.kind, CacheRenewRequest.kind,
                CacheReleaseRequest.kind,
            ] == ["cache.peek", "cache.get", "cache.put", "cache.renew", "cache.release"])
        #expect(ServiceName.all == ["chart-fetcher", "detail-fetcher", "poster-resolver", "cache-store", "archive"])
        #expect(ChartRequest.filmsAttribute == "films")
    }

    @Test func `a peek's largest answer fits into one message`() {
        // Header and payload precede the values; eight frames belong to the protocol.
        #expect(CachePeekRequest.maxKeys + 2 + 8 <= Envelope.maxFrames)
    }

    @Test(arguments: ["2022-1-5", "20220105", "2022-02-30", ""])
    func `a request with an invalid day is not read`(date: String) {
        let json = Array(#"{"date":"\#(date)","isRefresh":false}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONBytes.decode(ChartRequest.self, from: json) }
    }

    @Test func `fields of a later release are ignored`() throws {
        let json = Array(#"{"code":"1","isRefresh":false,"priority":[9]}"#.utf8)
        #expect(try JSONBytes.decode(DetailRequest.self, from: json) == DetailRequest(code: "1", isRefresh: false))
    }

    private func expect<Value: Codable & Equatable>(
        _ value: Value, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(String(decoding: try JSONBytes.encode(value), as: UTF8.self) == json, sourceLocation: sourceLocation)
        #expect(
            try JSONBytes.decode(Value.self, from: Array(json.utf8)) == value, sourceLocation: sourceLocation)
    }
}
