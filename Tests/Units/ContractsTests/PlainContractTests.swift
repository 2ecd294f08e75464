import Contracts
import Domain
import Envelope
import FlatJSON
import Foundation
import Testing

/// Compares the fast JSON writer and reader of repeated values with the encoder and decoder.
@Suite struct PlainContractTests {
    private static let texts = ["", "chart.daily?date=2022-01-05", "한글 \"제목\" a/b", "e\u{301}\u{0}\\\u{1f}", "🎬"]

    private func encoded(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONControls.escape(Array(try encoder.encode(value)))
    }

    private static let replies: [CachePeekReply] =
        [
            CachePeekReply(entries: []), CachePeekReply(entries: [], lengths: []),
            CachePeekReply(entries: [CachedEntry(key: "k", state: .fresh)], lengths: [0, .max]),
        ]
        + texts.map { text in
            CachePeekReply(entries: [
                CachedEntry(key: text, state: .missing),
                CachedEntry(
                    key: text, state: .stale, age: .max, ttl: .min, attributes: ["films": text, "": "a", "a\"": "b"]),
                CachedEntry(key: "k", state: .init(rawValue: text), age: -1, ttl: 0),
            ])
        }

    @Test func `requested keys match the encoder`() throws {
        for keys in [[], ["a"], Self.texts] {
            let request = CachePeekRequest(keys: keys)
            let json = try encoded(request)
            #expect(request.json() == json)
            #expect(try JSONBytes.decode(CachePeekRequest.self, from: json) == request)
            if let read = CachePeekRequest(plainJSON: json) { #expect(read == request) }
        }
        #expect(CachePeekRequest(plainJSON: Array(#"{"keys":["a","b"]}"#.utf8)) == CachePeekRequest(keys: ["a", "b"]))
    }

    @Test func `derived keys match the encoder`() throws {
        for prefixes in [[], ["movie.detail?code=", "poster.find?code="], Self.texts] {
            let following = CachePeekRequest.Following(attribute: "films", limit: 1_000, prefixes: prefixes)
            let request = CachePeekRequest(keys: ["chart"], following: following)
            let json = try encoded(request)
            #expect(request.json() == json)
            #expect(try JSONBytes.decode(CachePeekRequest.self, from: json) == request)
            if let read = CachePeekRequest(plainJSON: json) { #expect(read == request) }
            for count in json.indices { #expect(CachePeekRequest(plainJSON: Array(json[..<count])) == nil) }
        }
        let plain = CachePeekRequest(keys: ["a"], following: .init(attribute: "b", limit: 0, prefixes: ["c"]))
        #expect(CachePeekRequest(plainJSON: plain.json()) == plain)
    }

    @Test(arguments: [
        ("", 3, []), ("a", 3, ["a"]), ("a,b,c", 3, ["a", "b", "c"]), ("a,b,c", 2, ["a", "b"]),
        ("a,,b,", 5, ["a", "b"]),
        (",a", 1, ["a"]), ("가,나", 2, ["가", "나"]), ("a,b", 0, []), ("a,b", -1, []),
    ])
    func `the items of a list`(list: String, limit: Int, items: [String]) {
        #expect(CachePeekRequest.Following.items(in: list, atMost: limit) == items)
    }

    @Test(arguments: replies) func `replies match the encoder`(reply: CachePeekReply) throws {
        let json = try encoded(reply)
        #expect(reply.json() == json)
        #expect(try JSONBytes.decode(CachePeekReply.self, from: json) == reply)
        if let read = CachePeekReply(plainJSON: json) { #expect(read == reply) }
    }

    @Test func `a truncated reply, and one of a later release, requires the decoder`() throws {
        let entry = CachedEntry(key: "k", state: .fresh, age: 1, ttl: 2, attributes: ["films": "1,2"])
        let json = CachePeekReply(entries: [entry, entry]).json()
        #expect(CachePeekReply(plainJSON: json)?.entries == [entry, entry])
        for count in json.indices { #expect(CachePeekReply(plainJSON: Array(json[..<count])) == nil) }
        for field in [#""age":-"#, #""age":"#, #""age":1,"age":1"#, #""age":01"#] {
            let broken = Array(#"{"entries":[{\#(field),"attributes":{},"key":"k","state":"fresh","ttl":2}]}"#.utf8)
            #expect(CachePeekReply(plainJSON: broken) == nil)
        }
        let name =
            Array(#"{"entries":[{"age":1,"attributes":{""#.utf8) + [0xFF]
            + Array(#"":"a"},"key":"k","state":"fresh","ttl":2}]}"#.utf8)
        #expect(CachePeekReply(plainJSON: name) == nil)
        let later = #"{"entries":[{"age":1,"attributes":{},"key":"k","new":[1],"state":"fresh","ttl":2}]}"#
        #expect(CachePeekReply(plainJSON: Array(later.utf8)) == nil)
        #expect(try JSONBytes.decode(CachePeekReply.self, from: Array(later.utf8)).entries.map(\.key) == ["k"])
    }

    @Test func `fields in another order require the decoder`() throws {
        let reply = Array(
            #"{"lengths":[1],"entries":[{"key":"k","age":1,"attributes":{},"state":"fresh","ttl":2}]}"#.utf8)
        #expect(CachePeekReply(plainJSON: reply) == nil)
        let entry = CachedEntry(key: "k", state: .fresh, age: 1, ttl: 2)
        #expect(
            try JSONBytes.decode(CachePeekReply.self, from: reply) == CachePeekReply(entries: [entry], lengths: [1]))
        let request = Array(#"{"keys":["a"],"following":{"limit":1,"attribute":"b","prefixes":["c"]}}"#.utf8)
        #expect(CachePeekRequest(plainJSON: request) == nil)
        let following = CachePeekRequest.Following(attribute: "b", limit: 1, prefixes: ["c"])
        #expect(
            try JSONBytes.decode(CachePeekRequest.self, from: request)
                == CachePeekRequest(keys: ["a"], following: following))
    }

    private static let entries: [ChartEntry] = texts.enumerated().map { index, text in
        ChartEntry(
            rowNumber: index, rank: .max, rankChange: .min, presence: index == 0 ? .old : .init(rawValue: text),
            code: text, title: text, openingDay: index == 0 ? nil : Day(daysSinceEpoch: 19_000 + index),
            salesAmount: .max, salesShare: [0, 34.2, 100, 0.05, 1e-7][index], salesChange: .min,
            salesChangePercent: [-0.5, -100, 12_345_678.9, 1e20, 99.99][index], salesTotal: 0, audience: -1,
            audienceChange: 0, audienceChangePercent: 7.25, audienceTotal: 12, screens: 3, showings: 4)
    }
    private static let day = Day(daysSinceEpoch: 19_001)

    @Test func `a chart matches the encoder`() throws {
        let filters = [.everything, ChartFilter(region: .seoul, nation: .korean), ChartFilter(diversity: .diverse)]
        for kind in ChartKind.allCases {
            for filter in filters {
                let chart = Chart(ChartSelection(kind, around: Self.day, filter: filter), entries: Self.entries)
                let json = try encoded(chart)
                #expect(String(decoding: chart.json(), as: UTF8.self) == String(decoding: json, as: UTF8.self))
                #expect(try JSONBytes.decode(Chart.self, from: json) == chart)
            }
            let plain = Chart(ChartSelection(kind, around: Self.day), entries: [Self.entries[0]])
            #expect(Chart(plainJSON: plain.json()) == plain)
            for count in plain.json().indices { #expect(Chart(plainJSON: Array(plain.json()[..<count])) == nil) }
        }
    }

    @Test func `charts of the archive match the encoder`() throws {
        let chart = ArchivedChart(
            date: Self.day, state: .notPublished, source: .demo, firstSeen: .min, lastSeen: 0, failure: .timeout,
            entries: Self.entries)
        let reply = ArchiveChartsReply(charts: [chart, .unknown(Self.day)], calls: 3)
        let encoding = try encoded(reply)
        #expect(String(decoding: reply.json(), as: UTF8.self) == String(decoding: encoding, as: UTF8.self))
        #expect(try JSONBytes.decode(ArchiveChartsReply.self, from: encoding) == reply)
        let plain = ArchiveChartsReply(
            charts: [
                ArchivedChart(
                    date: Self.day, state: .settled, source: .upstream, firstSeen: 1, lastSeen: 2, failure: nil,
                    entries: [Self.entries[0]])
            ], calls: 0)
        let json = plain.json()
        #expect(ArchiveChartsReply(plainJSON: json) == plain)
        for count in json.indices { #expect(ArchiveChartsReply(plainJSON: Array(json[..<count])) == nil) }
    }

    @Test func `a run of the archive matches the encoder`() throws {
        let rows = Self.entries.map { FilmDay(day: Self.day, isProvisional: true, entry: $0) }
        let days = Self.day...Self.day.advanced(by: 2)
        for reply in [
            ArchiveRunReply(
                rows: rows, days: days, unknown: [days, days], next: Self.day, source: .recorded, failure: .timeout,
                calls: 1),
            ArchiveRunReply(rows: [], days: nil, unknown: [], next: nil, source: nil, failure: nil, calls: 0),
        ] {
            let json = try encoded(reply)
            #expect(String(decoding: reply.json(), as: UTF8.self) == String(decoding: json, as: UTF8.self))
            #expect(try JSONBytes.decode(ArchiveRunReply.self, from: json) == reply)
        }
        let plain = ArchiveRunReply(
            rows: [FilmDay(day: Self.day, isProvisional: false, entry: Self.entries[0])], days: days, unknown: [days],
            next: Self.day, source: .demo, failure: .timeout, calls: 1)
        #expect(ArchiveRunReply(plainJSON: plain.json()) == plain)
    }
}
