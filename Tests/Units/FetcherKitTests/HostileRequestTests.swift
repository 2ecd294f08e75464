import Contracts
import Domain
import Envelope
import Foundation
import Localization
import MessageBus
import TestSupport
import Testing

/// Every kind of request, with members that no program of this project sends, to each complete service in this process:
/// a service that traps ends the test run.
@Suite(.timeLimit(.minutes(5))) struct HostileRequestTests {
    private struct Sample {
        let service: String
        let kind: String
        let payload: JSONValue
        var attachments: [[UInt8]] = []

        init(_ service: String, _ kind: String, _ payload: some Encodable, attachments: [[UInt8]] = []) throws {
            self.service = service
            self.kind = kind
            self.payload = try JSONBytes.decode(JSONValue.self, from: JSONBytes.encode(payload))
            self.attachments = attachments
        }
    }

    /// Values that replace each member.
    private static let values: [JSONValue] =
        [
            "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-1", "0", "1e308", "1e400", "-0.5",
            "2147483648",
            "null", "true", #""""#, #""\u0000""#, #""9223372036854775807""#, #""-1""#, #""0000-00-00""#,
            #""9999-12-31""#, "[]",
            "{}", "[[[[]]]]", "[-9223372036854775808,9223372036854775807]", #"{"key":{"key":{"key":null}}}"#,
            "\"\u{202E}=\u{9B}%&\"",
        ].map { .raw($0) } + [.raw("\"\(String(repeating: "가 ", count: 3_000))\"")]

    private static func samples() throws -> [Sample] {
        let (store, chart, poster) = (ServiceName.cacheStore, ServiceName.chartFetcher, ServiceName.posterResolver)
        let (detail, archive) = (ServiceName.detailFetcher, ServiceName.archive)
        let failure = Failure(
            .timeout, LocalizedText(ko: "", en: ""), isRetryable: true, httpStatus: 500, faultCode: "1")
        let day = Day(daysSinceEpoch: 18_997)
        let hit = PosterCandidate(
            imageURL: "http://127.0.0.1:1/a.png", thumbnailURL: "http://127.0.0.1:1/b.png", width: 400, height: 600,
            site: "s",
            pageURL: "http://127.0.0.1:1/", datetime: "2022-01-05T00:00:00.000+09:00")
        let found = Poster(chosen: hit, runnersUp: [hit], confidence: .high, query: "등대 영화 포스터")
        let following = CachePeekRequest.Following(attribute: "films", limit: 10, prefixes: ["movie.detail?code="])
        return [
            try Sample(store, CachePeekRequest.kind, CachePeekRequest(keys: ["k?1", "k?2"], following: following)),
            try Sample(store, CacheGetRequest.kind, CacheGetRequest(key: "k?3", holder: "test/1", isRefresh: false)),
            try Sample(
                store, CachePutRequest.kind,
                CachePutRequest(
                    key: "k?4", lease: "1-1", freshFor: 60, attributes: ["films": "1,2"], holder: "test/1",
                    ageMilliseconds: 5),
                attachments: [[1]]),
            try Sample(store, CacheRenewRequest.kind, CacheRenewRequest(key: "k?3", lease: "1-1")),
            try Sample(
                store, CacheReleaseRequest.kind,
                CacheReleaseRequest(key: "k?3", lease: "1-1", failure: failure, rememberFor: 60)),
            try Sample(store, CachePurgeRequest.kind, CachePurgeRequest(what: "k?9")),
            try Sample(store, CachePinRequest.kind, CachePinRequest(key: "k?5", source: .upstream), attachments: [[1]]),
            try Sample(store, CacheUnpinRequest.kind, CacheUnpinRequest(key: "k?5")),
            try Sample(store, CacheStatsRequest.kind, [String: String]()),
            try Sample(store, CacheClearRequest.kind, [String: String]()),
            try Sample(
                store, QuotaTakeRequest.kind,
                QuotaTakeRequest(upstream: "KOBIS", key: "hostile", limit: 3_000, uncounted: 2)),
            try Sample(
                store, QuotaExhaustedRequest.kind,
                QuotaExhaustedRequest(upstream: "KOBIS", key: "hostile", limit: 3_000)),
            try Sample(store, QuotaListRequest.kind, [String: String]()),
            try Sample(
                chart, ChartRequest.dailyKind,
                ChartRequest(
                    ChartSelection(
                        .daily, around: day, filter: ChartFilter(region: .seoul, nation: .korean, diversity: .diverse)),
                    isRefresh: false)),
            try Sample(
                chart, ChartRequest.weeklyKind, ChartRequest(ChartSelection(.weekly, around: day), isRefresh: true)),
            try Sample(detail, DetailRequest.kind, DetailRequest(code: "20199882", isRefresh: false)),
            try Sample(
                detail, FilmSearchRequest.kind,
                FilmSearchRequest(
                    FilmSearch(
                        title: "등대", director: "봉준호", productionYears: 2019...2020, openingYears: 2019...2021, page: 1,
                        pageSize: 10, includesAdultFilms: false), isRefresh: false)),
            try Sample(
                poster, PosterRequest.kind,
                PosterRequest(code: "20199882", title: "유리 등대", year: 2022, isRefresh: true)),
            try Sample(
                poster, PosterImageRequest.kind,
                PosterImageRequest(title: "등대", poster: found, isRefresh: false)),
            try Sample(
                archive, ArchiveChartsRequest.kind, ArchiveChartsRequest(.daily, day...day, calls: 0, asOf: 1)),
            try Sample(
                archive, ArchiveRunRequest.kind,
                ArchiveRunRequest(code: "20199882", openingDay: day, first: day, last: day, calls: 0)),
            try Sample(archive, ArchiveEditionsRequest.kind, ArchiveEditionsRequest(.weekly, day)),
            try Sample(archive, ArchiveEstimateRequest.kind, ArchiveEstimateRequest(.weekend, day...day)),
            try Sample(
                archive, ArchiveFillRequest.kind, ArchiveFillRequest(.daily, day...day, details: true, rate: 5)),
            try Sample(archive, ArchiveFillChangeRequest.kind, ArchiveFillChangeRequest(.cancel, order: 1)),
            try Sample(archive, ArchiveOrderRequest.kind, ArchiveOrderRequest(1)),
            try Sample(archive, ArchiveStatusRequest.kind, [String: String]()),
            try Sample(
                archive, ArchiveTopRequest.kind,
                ArchiveTopRequest(
                    ArchiveRange(day...day, calls: 0), by: .sales, nation: .coproduction, limit: 5)),
            try Sample(
                archive, ArchiveShareRequest.kind,
                ArchiveShareRequest(ArchiveRange(day...day, calls: 0), by: .week, page: day)),
            try Sample(
                archive, ArchiveRecordsRequest.kind,
                ArchiveRecordsRequest(ArchiveRange(day...day, calls: 0))),
            try Sample(
                archive, ArchiveNewRequest.kind,
                ArchiveNewRequest(ArchiveRange(day...day, calls: 0), page: day)),
            try Sample(
                archive, ArchiveLeadersRequest.kind, ArchiveLeadersRequest(ArchiveRange(day...day, calls: 0))),
            try Sample(archive, ArchiveTitlesRequest.kind, ArchiveTitlesRequest("등대")),
            try Sample(archive, ArchivePersonRequest.kind, ArchivePersonRequest("봉준호")),
        ]
    }

    @Test func `a hostile member neither ends a service nor leaves harmful state`() async throws {
        try await StackScene.run(hasArchive: true, chartFetchers: 1) { stack in
            for sample in try Self.samples() {
                for payload in Self.variants(of: sample.payload) {
                    try await Self.expectAnswer(stack, sample, Array(payload.text.utf8))
                }
                for bytes in [[], [0xFF], Array("[".utf8), Array(repeating: UInt8(ascii: "["), count: 10_000)]
                    as [[UInt8]]
                {
                    try await Self.expectAnswer(stack, sample, bytes)
                }
            }
            // Accepted values can be read and used.
            let quota = try await stack.ask(ServiceName.cacheStore, QuotaListRequest.kind, [String: String]())
            #expect(quota.header.failure == nil)
            for account in try JSONBytes.decode(QuotaListReply.self, from: quota.payload).accounts {
                #expect(account.left >= 0 && account.left <= account.limit)
            }
            for service in ServiceName.all { #expect(try await stack.stats(service).id == "\(service)/1") }
        }
    }

    @Test(
        arguments: [
            (
                ServiceName.cacheStore, QuotaTakeRequest.kind,
                #"{"key":"k","limit":-9223372036854775808,"uncounted":1,"upstream":"KOBIS"}"#
            ),
            (
                ServiceName.cacheStore, QuotaTakeRequest.kind,
                #"{"key":"k","limit":1000000001,"uncounted":1,"upstream":"KOBIS"}"#
            ),
            (
                ServiceName.cacheStore, QuotaTakeRequest.kind,
                #"{"key":"k","limit":1,"uncounted":-1,"upstream":"KOBIS"}"#
            ),
            (
                ServiceName.posterResolver, PosterRequest.kind,
                #"{"isRefresh":false,"title":"a","year":9223372036854775807}"#
            ),
            (ServiceName.posterResolver, PosterRequest.kind, #"{"isRefresh":false,"title":"a","year":1879}"#),
            (ServiceName.cacheStore, CachePutRequest.kind, #"{"attributes":{},"freshFor":-1,"holder":"h","key":"k"}"#),
            (
                ServiceName.cacheStore, CachePeekRequest.kind,
                #"{"following":{"attribute":"a","limit":-1,"prefixes":[]},"keys":["a"]}"#
            ),
        ])
    func `a number outside its bounds is malformed`(service: String, kind: String, json: String) async throws {
        try await StackScene.run { stack in
            let request = BusRequest(
                service: service, kind: kind, trace: .root(), payload: Array(json.utf8), attachments: [[1]])
            let reply = try await stack.bus.request(request, deadline: .now + .seconds(20))
            #expect(reply.envelope.header.failure?.code == .malformed)
        }
    }

    private static func expectAnswer(_ stack: StackScene, _ sample: Sample, _ payload: [UInt8]) async throws {
        let request = BusRequest(
            service: sample.service, kind: sample.kind, trace: .root(), payload: payload,
            attachments: sample.attachments)
        do {
            _ = try await stack.bus.request(request, deadline: .now + .seconds(10))
        } catch let failure as Failure {
            // A get may wait for the fetch of another instance until its deadline; all other requests are answered.
            #expect(
                failure.code == .tooLarge, "\(sample.kind) \(String(decoding: payload.prefix(300), as: UTF8.self))")
        }
    }

    /// The payload with each of its members replaced by each value, removed, and duplicated.
    private static func variants(of payload: JSONValue) -> [JSONValue] {
        payload.paths.flatMap { path in
            values.map { payload.replacing(path, with: $0) } + [payload.removing(path), payload.doubling(path)]
        }
    }
}

/// JSON whose members can be changed into anything, well-formed or not.
private indirect enum JSONValue: Codable {
    case object([(name: String, value: JSONValue)])
    case array([JSONValue])
    case raw(String)

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.sorted { $0.stringValue < $1.stringValue }
                    .map { ($0.stringValue, try members.decode(JSONValue.self, forKey: $0)) })
        } else if let items = try? [JSONValue](from: decoder) {
            self = .array(items)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .raw("null")
            } else if let flag = try? value.decode(Bool.self) {
                self = .raw("\(flag)")
            } else if let number = try? value.decode(Int.self) {
                self = .raw("\(number)")
            } else {
                self = .raw(String(decoding: try JSONBytes.encode(value.decode(String.self)), as: UTF8.self))
            }
        }
    }

    func encode(to encoder: any Encoder) throws { throw CancellationError() }

    var text: String {
        switch self {
        case .object(let members): "{\(members.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ","))}"
        case .array(let items): "[\(items.map(\.text).joined(separator: ","))]"
        case .raw(let text): text
        }
    }

    private var children: [JSONValue] {
        switch self {
        case .object(let members): members.map(\.value)
        case .array(let items): items
        case .raw: []
        }
    }

    /// The paths of all values below the root.
    var paths: [[Int]] {
        children.enumerated().flatMap { index, child in [[index]] + child.paths.map { [index] + $0 } }
    }

    func replacing(_ path: [Int], with value: JSONValue) -> JSONValue {
        change(path[...]) { [($0.name, value)] }
    }

    func removing(_ path: [Int]) -> JSONValue { change(path[...]) { _ in [] } }

    func doubling(_ path: [Int]) -> JSONValue {
        change(path[...]) { [$0, ($0.name, .raw("-9223372036854775808"))] }
    }

    private func change(
        _ path: ArraySlice<Int>, _ body: ((name: String, value: JSONValue)) -> [(name: String, value: JSONValue)]
    ) -> JSONValue {
        guard let index = path.first else { return self }
        let rest = path.dropFirst()
        switch self {
        case .object(var members):
            if rest.isEmpty {
                members.replaceSubrange(index...index, with: body(members[index]))
            } else {
                members[index].value = members[index].value.change(rest, body)
            }
            return .object(members)
        case .array(var items):
            if rest.isEmpty {
                items.replaceSubrange(index...index, with: body(("", items[index])).map(\.value))
            } else {
                items[index] = items[index].change(rest, body)
            }
            return .array(items)
        case .raw: return self
        }
    }
}
