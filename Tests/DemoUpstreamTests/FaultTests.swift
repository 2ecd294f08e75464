import Testing

@testable import DemoUpstreamCore

@Suite(.timeLimit(.minutes(2)))
struct FaultTests {
    @Test(arguments: [
        (Fault.html, 200, "text/html;charset=utf-8", "<!DOCTYPE html>"), (.empty, 200, Answer.json, ""),
        (.notJSON, 200, Answer.json, "temporarily unavailable"), (.otherJSON, 200, Answer.json, #"{"result":"ok"}"#),
        (.error500, 500, Answer.text, "Internal Server Error\n"),
        (.error503, 503, Answer.text, "Service Unavailable\n"),
    ])
    func aFaultStrikesBothAPIsAlike(fault: Fault, status: Int, type: String, start: String) async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(fault)) { client in
            for reply in [try await client.chart("20220105"), try await client.images("밀수")] {
                #expect(reply.status == status && reply.contentType == type && reply.origin == "fault")
                #expect(reply.text.hasPrefix(start) && reply.text.isEmpty == start.isEmpty)
            }
            #expect(try await client.get("/posters/92842800.png").status == 200)
        }
    }

    @Test(arguments: [(Fault.key, "320010", 401, "AccessDeniedError"), (.quota, "320011", 429, "RequestThrottled")])
    func aRefusalHasTheShapeOfItsAPI(fault: Fault, code: String, status: Int, type: String) async throws {
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

    @Test func aTruncatedBodyBreaksTheConnection() async throws {
        try await UpstreamClient.withUpstream(configuration: faulty(.truncated)) { client in
            _ = await #expect(throws: (any Error).self) { try await client.chart("20220105") }
        }
    }

    @Test func halfOfTheJSONArrivesAsACompleteResponse() async throws {
        try await UpstreamClient.withUpstream { client in
            let whole = try await client.chart("20220105").body
            try await client.post("/_fault", ["name": "half-json"])
            #expect(try await client.chart("20220105").body == Array(whole.prefix(whole.count / 2)))
        }
    }

    @Test func aFaultCanBeSwitchedForOnePathAndOffAgain() async throws {
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

    @Test func anUnknownSwitchIsRefusedInPlainWords() async throws {
        try await UpstreamClient.withUpstream { client in
            let fault = try await client.post("/_fault", ["name": "nonsense"])
            #expect(fault.status == 400 && fault.text.contains("half-json"))
            #expect(try await client.post("/_latency", ["ms": "-1"]).status == 400)
            #expect(try await client.post("/_latency", ["ms": "1", "jitter": "1"]).status == 200)
        }
    }

    @Test func anErrorRateStrikesThatPartOfTheCallsAndRepeatsWithTheSeed() async throws {
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

    @Test func latencyAndJitterAddUpToTheDelay() async {
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
        configuration.fault = fault
        return configuration
    }
}
