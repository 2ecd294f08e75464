import Kobis
import Testing

@testable import DemoUpstreamCore
@testable import PosterResolverCore

@Suite(.timeLimit(.minutes(2)))
struct FaultTests {
    @Test(arguments: [
        (Fault.html, 200, "text/html;charset=utf-8", "<!DOCTYPE html>"), (.empty, 200, DemoAnswer.json, ""),
        (.notJSON, 200, DemoAnswer.json, "temporarily unavailable"),
        (.otherJSON, 200, DemoAnswer.json, #"{"result":"ok"}"#),
        (.error500, 500, DemoAnswer.text, "Internal Server Error\n"),
        (.error503, 503, DemoAnswer.text, "Service Unavailable\n"),
    ])
    func `a fault affects both APIs alike`(fault: Fault, status: Int, type: String, start: String) async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(fault)) { client in
            for reply in [try await client.chart("20220105"), try await client.images("밀수")] {
                #expect(reply.status == status && reply.contentType == type && reply.origin == "fault")
                #expect(reply.text.hasPrefix(start) && reply.text.isEmpty == start.isEmpty)
            }
            #expect(try await client.get("/posters/92842800.png").status == 200)
        }
    }

    @Test(arguments: [(Fault.key, "320010", 401, "AccessDeniedError"), (.quota, "320011", 429, "RequestThrottled")])
    func `a refusal has the format of its API`(fault: Fault, code: String, status: Int, type: String) async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(fault)) { client in
            let chart = try await client.chart("20220105")
            #expect(chart.status == 200)
            #expect(try chart.decoded(Wire.Fault.self).faultInfo.errorCode == code)
            let images = try await client.images("밀수")
            #expect(images.status == status)
            #expect(try images.decoded(Wire.Refusal.self).errorType == type)
            #expect(images.text.contains(UpstreamClient.kakaoKey) == (fault == .key))
        }
    }

    @Test func `a huge body is sent completely`() async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(.huge)) { client in
            let reply = try await client.chart("20220105")
            #expect(reply.body.count == 4 << 20)
        }
    }

    @Test func `a truncated body breaks the connection`() async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(.truncated)) { client in
            _ = await #expect(throws: (any Error).self) { try await client.chart("20220105") }
        }
    }

    @Test func `half of the JSON arrives as a complete response`() async throws {
        try await UpstreamClient.withUpstream { client in
            let whole = try await client.chart("20220105").body
            try await client.post("/_fault", ["name": "half-json"])
            #expect(try await client.chart("20220105").body == Array(whole.prefix(whole.count / 2)))
        }
    }

    @Test func `a fault can be switched on for one path and off again`() async throws {
        try await UpstreamClient.withUpstream { client in
            #expect(try await client.post("/_fault", ["name": "error503", "path": "search/image"]).status == 200)
            #expect(try await client.images("밀수").status == 503)
            #expect(try await client.chart("20220105").status == 200)
            try await client.post("/_fault", ["name": "key", "path": "/posters/"])
            #expect(try await client.get("/posters/92842800.png").status == 403)
            #expect(try await client.images("밀수").status == 200)
            try await client.post("/_fault", ["name": "none"])
            #expect(try await client.get("/posters/92842800.png").status == 200)
        }
    }

    @Test(
        arguments: [
            ("error503", FaultRule(.error503)), ("throttled:every=3", FaultRule(.throttled, every: 3)),
            ("slow:path=searchMovieInfo,ms=3000", FaultRule(.slow, path: "searchMovieInfo", milliseconds: 3_000)),
            ("half-json:date=20220105,path=a=b", FaultRule(.halfJSON, path: "a=b", date: "20220105")),
            ("", nil), ("nonsense", nil), ("html:every=0", nil), ("html:every=x", nil), ("html:date=2022-01-05", nil),
            ("html:path=", nil), ("html:often=1", nil), ("html:every=1,every=2", nil), ("slow:ms=-1", nil),
        ] as [(String, FaultRule?)])
    func `a rule is parsed as it is printed`(text: String, rule: FaultRule?) {
        #expect(FaultRule(text) == rule)
    }

    @Test func `a rule affects every nth call of its target`() async throws {
        try await UpstreamClient.withUpstream { client in
            try await client.post("/_fault", ["name": "throttled", "every": "3"])
            var statuses: [Int] = []
            for _ in 0..<6 { statuses.append(try await client.chart("20220105").status) }
            #expect(statuses == [200, 200, 429, 200, 200, 429])

            try await client.post("/_fault", ["name": "error500", "date": "20220106"])
            #expect(try await client.chart("20220105").status == 200)
            #expect(try await client.chart("20220106").status == 500)
            #expect(try await client.images("밀수").status == 200)
            try await client.post("/_fault", ["name": "error503", "path": "search/image", "add": "1"])
            #expect(try await client.images("밀수").status == 503)
            #expect(try await client.chart("20220106").status == 500, "the first rule still holds")
        }
    }

    @Test func `a closed connection sends nothing`() async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(.closed)) { client in
            _ = await #expect(throws: (any Error).self) { try await client.chart("20220105") }
            try await client.post("/_fault", ["name": "none"])
            #expect(try await client.chart("20220105").status == 200)
        }
    }

    @Test func `the other refusals have the formats of their APIs`() async throws {
        try await UpstreamClient.withUpstream { client in
            try await client.post("/_fault", ["name": "platform-quota"])
            let quota = try await client.images("밀수")
            #expect(quota.status == 400 && quota.text == #"{"code":-10,"msg":"API limit has been exceeded."}"#)
            try await client.post("/_fault", ["name": "refusal"])
            #expect(try await client.images("밀수").text == #"{"code":-1,"msg":"Internal error"}"#)
            let chart = try await client.chart("20220105")
            #expect(chart.status == 200)
            #expect(try chart.decoded(Wire.Fault.self).faultInfo.errorCode == "329999")
        }
    }

    @Test func `an unknown switch is refused with a clear message`() async throws {
        try await UpstreamClient.withUpstream { client in
            let fault = try await client.post("/_fault", ["name": "nonsense"])
            #expect(fault.status == 400 && fault.text.contains("half-json"))
            #expect(try await client.post("/_fault", ["name": "html", "every": "0"]).status == 400)
            #expect(try await client.post("/_latency", ["ms": "-1"]).status == 400)
            #expect(try await client.post("/_latency", ["ms": "1", "jitter": "1"]).status == 200)
        }
    }

    @Test func `an error rate affects that part of the calls and repeats with the seed`() async throws {
        var configuration = DemoUpstreamConfiguration()
        configuration.errorRate = 0.5
        func failures() async -> [Bool] {
            let conditions = UpstreamConditions(configuration: configuration)
            var failures: [Bool] = []
            for _ in 0..<400 { failures.append(await conditions.next(for: "/x", of: .kobis).fault == .error500) }
            return failures
        }
        let first = await failures()
        #expect((150...250).contains(first.filter { $0 }.count))
        #expect(await failures() == first)
    }

    @Test func `a slow call waits longer`() async {
        var configuration = DemoUpstreamConfiguration()
        configuration.faults = [FaultRule(.slow, milliseconds: 700)]
        configuration.latency = .milliseconds(100)
        let disturbance = await UpstreamConditions(configuration: configuration).next(for: "/x", of: .kobis)
        #expect(disturbance.delay == .milliseconds(800) && disturbance.fault == .slow)
    }

    @Test func `latency and jitter add up to the delay`() async {
        var configuration = DemoUpstreamConfiguration()
        configuration.latency = .milliseconds(80)
        configuration.jitter = .milliseconds(40)
        let conditions = UpstreamConditions(configuration: configuration)
        for _ in 0..<100 {
            let delay = await conditions.next(for: "/x", of: .kakao).delay
            #expect(delay >= .milliseconds(80) && delay < .milliseconds(120))
        }
    }

    private func faulty(_ fault: Fault) -> DemoUpstreamConfiguration {
        var configuration = DemoUpstreamConfiguration()
        configuration.faults = [FaultRule(fault)]
        return configuration
    }
}
