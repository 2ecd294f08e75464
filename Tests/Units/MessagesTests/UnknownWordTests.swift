import Contracts
import Domain
import Envelope
import MessageBus
import Testing

/// An unknown word or field of a later version does not affect the rest of its message.
@Suite struct UnknownWordTests {
    /// Decodes a value, and checks that encoding preserves it.
    private func read<Value: Codable & Equatable>(_ type: Value.Type, _ json: String) throws -> Value {
        let value = try JSONBytes.decode(type, from: Array(json.utf8))
        #expect(try JSONBytes.decode(type, from: JSONBytes.encode(value)) == value)
        return value
    }

    @Test func `an unknown status equals no known one and keeps its name`() throws {
        let status = try read([ReplyStatus].self, #"["partial"]"#)
        #expect(status == [ReplyStatus(rawValue: "partial")])
        #expect(![ReplyStatus.ok, .stale, .failed].contains(status[0]))
        #expect(String(decoding: try JSONBytes.encode(status), as: UTF8.self) == #"["partial"]"#)
    }

    @Test func `cache attributes with an unknown reason keep its word`() throws {
        let attributes = try read(CacheStatus.self, #"{"fwd":"partial","hit":false,"key":"k"}"#)
        #expect(attributes.fwd?.rawValue == "partial")
        #expect(attributes.summary == "fwd=partial")
    }

    @Test func `a header with both unknown words is decoded completely`() throws {
        let header = #"""
            {"cache":{"fwd":"method","hit":false},"kind":"chart.daily","query":"00000000000000a1","schema":"1.9","sender":"s/1","shard":[1],"status":"partial","timing":{"diskMicroseconds":1,"workMicroseconds":2},"traceparent":"00-00000000000000a100000000000000a1-00000000000000b2-01"}
            """#
        let envelope = try Envelope(frames: [Array(header.utf8), []])
        #expect(envelope.header.status?.rawValue == "partial" && envelope.header.cache?.fwd?.rawValue == "method")
        #expect(envelope.header.timing == RequestTiming(workMicroseconds: 2))
    }

    @Test func `a poster of unknown confidence is not a certain one`() throws {
        let confidence = try read([PosterConfidence].self, #"["medium"]"#)
        #expect(![PosterConfidence.high, .low].contains(confidence[0]))
    }

    @Test(arguments: [(3, Movement.up(3)), (-2, .down(2)), (0, .same)])
    func `a film of unknown presence moves as its rank did`(change: Int, movement: Movement) throws {
        let json = #"""
            {"audience":3,"audienceChange":0,"audienceChangePercent":0,"audienceTotal":9,"code":"20199882","presence":"returning","rank":1,"rankChange":\#(change),"rowNumber":1,"salesAmount":1,"salesChange":0,"salesChangePercent":0,"salesShare":1,"salesTotal":1,"screens":7,"showings":8,"title":"t"}
            """#
        let entry = try read(ChartEntry.self, json)
        #expect(entry.movement == movement)
        #expect(try !entry.isReentry(on: #require(Day("2022-01-05"))))
    }

    @Test func `a cached entry in an unknown state has no known value`() throws {
        let entry = try read(
            CachedEntry.self, #"{"age":1,"attributes":{},"key":"k","state":"revalidating","ttl":1}"#)
        #expect(entry.state.hasValue == nil)
        #expect([CachedEntry.State.fresh, .stale, .missing].map(\.hasValue) == [true, true, false])
    }

    @Test func `stats with unknown fields are decoded apart from those`() throws {
        let json = #"""
            {"answered":1,"dropped":{},"energyJoules":4,"errors":{"a_code_of_tomorrow":1},"expired":0,"redeliveries":0,"id":"a/1","inFlight":0,"lastError":null,"latency":{"count":0,"p999Microseconds":1},"name":"a","queueDepth":null,"requests":1,"started":"","uptimeSeconds":1,"version":"2.0.0"}
            """#
        let stats = try read(ServiceStats.self, json)
        #expect(stats.version == "2.0.0" && stats.errors == ["a_code_of_tomorrow": 1])
        #expect(stats.latency.p50Microseconds == nil)
    }
}
