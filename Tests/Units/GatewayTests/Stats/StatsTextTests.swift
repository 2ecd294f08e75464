import Envelope
import Foundation
import Inspection
import Localization
import MessageBus
import ProcessKit
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct StatsTextTests {
    private static let lastError = ServiceStats.LastError(
        code: .timeout, message: LocalizedText(ko: "늦었습니다.", en: "It is late."), at: "2026-11-21T08:10:00.000000Z",
        request: nil)

    private static let report = StatsReport(
        broker: StatsSamples.stats(
            "broker/1", requests: 1234, errors: ["expired": 2, "overloaded": 1], queueDepth: 5,
            dropped: ["malformed": 1, "duplicate": 2], latency: StatsSamples.latency, uptime: 7300),
        services: [
            StatsReport.Service(
                name: "echo", traffic: StatsSamples.traffic("echo", requests: 1200),
                instances: [
                    StatsSamples.stats("echo/1", requests: 600, errors: ["timeout": 1], lastError: lastError)
                ], missing: [StatsReport.Missing(id: "echo/2", failure: StatsSamples.timeout)])
        ])

    @Test func `the broker, its view of each service, and each worker are rows of one table`() {
        #expect(
            StatsText(language: .en, hasCodes: true).lines(Self.report) == [
                "          version     up  requests  errors  in flight  queued  redelivered  expired  dropped"
                    + "  p50 ms  p95 ms    p99 ms    max ms",
                "broker/1    0.1.0    2 h     1,234       3          2       5            3        4        3"
                    + "    1.20   20.00  1,500.00  1,500.00",
                "echo                         1,200       1          2       7            3        4         "
                    + "       -       -         -         -",
                "  echo/1    0.1.0  2 min       600       1          2       -            3        4        0"
                    + "       -       -         -         -",
                "",
                "broker/1: expired 2, overloaded 1",
                "echo/1: timeout 1; last error 2026-11-21 17:10 (Seoul time): It is late.",
                "echo/2  It is late. Try again in a moment.",
            ])
    }

    @Test func `in Korean the columns are aligned by their width on the screen`() throws {
        let lines = StatsText(language: .ko).lines(Self.report)
        let table = lines.prefix { !$0.isEmpty }
        #expect(Set(table.map(TextWidth.narrow.columns)).count == 1)
        #expect(try #require(table.first).contains("처리 중") && lines.contains { $0.contains("2시간") })
        #expect(lines.contains("echo/1: 마지막 오류 2026-11-21 17:10 (한국 시각): 늦었습니다."))
        // Codes are for --verbose.
        #expect(!lines.contains { $0.contains("timeout") || $0.contains("overloaded") })
    }

    @Test func `a name from another process cannot control the terminal`() {
        let report = StatsReport(
            broker: nil,
            services: [
                StatsReport.Service(
                    name: "e\u{1B}[2J", traffic: StatsSamples.traffic("e\u{1B}[2J"),
                    instances: [StatsSamples.stats("e\n/1", errors: ["a\rb": 1])],
                    missing: [StatsReport.Missing(id: "e\u{9B}/2", failure: StatsSamples.timeout)])
            ])
        for line in StatsText(language: .ko).lines(report) {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
        }
    }

    @Test func `JSON has every key, and unknown values are null`() throws {
        let answer = try Samples.presentation(isJSON: true).stats(Self.report)
        #expect(answer.exitStatus == ExitStatus.unavailable, "one is missing")
        let json = try object(answer.output)
        #expect(json["complete"] as? Bool == false)
        #expect((json["broker"] as? [String: Any])?["queueDepth"] as? Int == 5)
        let service = try #require((json["services"] as? [[String: Any]])?.first)
        #expect((service["traffic"] as? [String: Any])?["redeliveries"] as? Int == 3)
        #expect((service["instances"] as? [[String: Any]])?.first?["queueDepth"] is NSNull)
        let missing = try #require((service["missing"] as? [[String: Any]])?.first)
        #expect(missing["id"] as? String == "echo/2" && missing["failure"] is [String: Any])
    }

    @Test func `an answer about one service has no broker, and is complete when all its workers answered`() throws {
        let service = StatsReport.Service(
            name: "gone", traffic: nil, instances: [StatsSamples.stats("gone/1")], missing: [])
        let answer = try Samples.presentation(isJSON: true).stats(StatsReport(broker: nil, services: [service]))
        #expect(answer.exitStatus == ExitStatus.complete)
        let json = try object(answer.output)
        #expect(json["broker"] is NSNull && json["complete"] as? Bool == true)
        #expect((json["services"] as? [[String: Any]])?.first?["traffic"] is NSNull)
    }

    @Test func `a worker that got no question is reported with its load`() throws {
        var call = WorkerCensus<ServiceStats>(service: "echo", instances: ["echo/1"])
        while call.nextRound() > 0 { call.answered("echo/2", .success(StatsSamples.stats("echo/2"))) }
        let service = StatsReport.Service(
            call, traffic: nil, status: StatsSamples.status(["echo/1"], inFlight: 32))
        #expect(service.instances.map(\.id) == ["echo/2"])
        let missing = try #require(service.missing.first)
        #expect(missing.id == "echo/1" && missing.failure.message.en.contains("32/32"))
    }

    @Test(arguments: [(nil, ["echo/3", "echo/4"]), ("echo/4", ["echo/4"]), ("echo/1", [])])
    func `a worker that the broker removed as silent is missing beside one that answered`(
        wanted: String?, expected: [String]
    ) throws {
        var call = WorkerCensus<ServiceStats>(service: "echo", instances: ["echo/1"], wanted: wanted)
        while call.nextRound() > 0 { call.answered("echo/1", .success(StatsSamples.stats("echo/1"))) }
        let service = StatsReport.Service(
            call, traffic: nil, status: StatsSamples.status(["echo/1"], silent: ["echo/3", "echo/4", "other/5"]))
        #expect(service.missing.map(\.id) == expected)
        for missing in service.missing {
            let reason = "It has not answered for 40 s. Replace it: compose/stack restart echo"
            #expect(missing.failure.message.en == reason)
        }
    }

    @Test func `a service without workers is itself listed as missing`() {
        var call = WorkerCensus<ServiceStats>(service: "echo", instances: [])
        _ = call.nextRound()
        call.failed(StatsSamples.timeout)
        let service = StatsReport.Service(call, traffic: nil, status: StatsSamples.status())
        #expect(service.missing.map(\.id) == ["echo"] && service.missing.map(\.failure) == [StatsSamples.timeout])
    }
}
