import Envelope
import Foundation
import MessageBus
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Nothing is fetched twice: fifty callers of one key, three fetchers, one upstream call.
    @Suite(.serialized, .stack("chart-fetcher=3")) struct SingleFlightTests {
        private static let callers = 50

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `many callers cost one upstream call`() async throws {
            let calls = try await stack.upstream.calls {
                try await stack.upstream.withLatency(milliseconds: 300) {
                    let answers = try await ask("2013-01-01")
                    #expect(answers.count == Self.callers && answers.allSatisfy { $0.header.status ?? .ok == .ok })
                    #expect(Set(answers.map(\.payload)).count == 1)
                    #expect(Set(answers.map(\.header.sender)).count == 3, "all three fetchers were asked")
                    #expect(answers.count { $0.header.cache?.stored == true } == 1)
                }
            }
            #expect(calls == [UpstreamSwitches.chartPath: 1])
        }

        @Test func `a lease holder killed during its call costs one more call`() async throws {
            let processes = try await stack.processes()
            let before = try await stack.upstream.calls()
            let calls = try await stack.watching { feed in
                try await stack.upstream.calls {
                    // The kill must find the call under way, also on a busy machine; an attempt ends after 1.5 s.
                    try await stack.upstream.withLatency(milliseconds: 1300) {
                        async let asked = ask("2013-01-02")
                        let granted = try await feed.first("cache.get.answered") { $0.text("lease") != nil }
                        let pid = try #require(granted.text("holder").flatMap(processes.pid(of:)))
                        try await stack.upstream.untilCalled(UpstreamSwitches.chartPath, beyond: before)
                        #expect(kill(pid, SIGKILL) == 0)
                        let answers = try await asked
                        #expect(answers.count == Self.callers && answers.allSatisfy { $0.header.status ?? .ok == .ok })
                        #expect(Set(answers.map(\.payload)).count == 1)
                    }
                }
            }
            #expect(calls == [UpstreamSwitches.chartPath: 2])
            try await stack.untilComplete(["chart-fetcher/1", "chart-fetcher/2", "chart-fetcher/3"])
        }

        @Test func `a failure is shared by all waiting callers`() async throws {
            let calls = try await stack.upstream.calls {
                try await stack.upstream.withLatency(milliseconds: 300) {
                    try await stack.upstream.withFault("error500") {
                        let answers = try await ask("2013-01-03")
                        #expect(answers.count == Self.callers)
                        #expect(answers.allSatisfy { $0.header.failure?.code.rawValue == "upstream_http" })
                        #expect(answers.allSatisfy { $0.header.failure?.httpStatus == 500 })
                    }
                }
            }
            // The attempts of one fetch.
            #expect(calls == [UpstreamSwitches.chartPath: 3])
        }

        @Test func `a refresh joins an in-flight fetch`() async throws {
            let calls = try await stack.upstream.calls {
                try await stack.upstream.withLatency(milliseconds: 300) {
                    let answers = try await ask("2013-01-04", refreshing: { $0 % 2 == 0 })
                    #expect(answers.allSatisfy { $0.header.status ?? .ok == .ok })
                }
            }
            #expect(calls == [UpstreamSwitches.chartPath: 1])
        }

        @Test func `three hundred callers in one process share each fetch of a cold day`() async throws {
            struct Report: Decodable {
                let answers: Int
                let complete: Int
            }
            let calls = try await stack.upstream.calls {
                try await stack.upstream.withLatency(milliseconds: 100) {
                    let result = try await stack.gateway(
                        "bench", "2013-02-01", "--askers", "300", "--for", "1s", "--timeout", "60", "--strict",
                        "--json")
                    let report: Report = try result.decoded()
                    #expect(
                        result.status == 0 && report.answers >= 300 && report.complete == report.answers, "\(result)")
                }
            }
            #expect(calls.values.reduce(0, +) == 21, "\(calls)")
        }

        /// Sends all requests at once, without the gateway and its cache peek.
        private func ask(
            _ date: String, refreshing: @escaping @Sendable (Int) -> Bool = { _ in false }
        ) async throws -> [Envelope] {
            let configuration = BusConfiguration(stack.transport, instance: "test/\(getpid())")
            return try await withMessageBus(configuration) { bus in
                try await withThrowingTaskGroup(of: Envelope.self) { group in
                    for number in 0..<Self.callers {
                        group.addTask {
                            let payload = Array(#"{"date":"\#(date)","isRefresh":\#(refreshing(number))}"#.utf8)
                            let request = BusRequest(
                                service: "chart-fetcher", kind: "chart.daily", trace: .root(), payload: payload)
                            return try await bus.request(request, deadline: .now + .seconds(30)).envelope
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
        }
    }
}
