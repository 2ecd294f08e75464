import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Calls are counted before they are made, in one account for all fetchers.
    @Suite(.serialized) struct QuotaTests {
        struct Quota: Decodable {
            struct Account: Decodable, Equatable {
                let upstream: String
                let key: String
                let used: Int
                let left: Int
                let limit: Int
                let isExhausted: Bool
                let resetsAt: String
            }

            let accounts: [Account]

            subscript(upstream: String) -> Account? { accounts.first { $0.upstream == upstream } }
        }

        @Test func `the count of calls spans all fetchers and survives a crash`() async throws {
            try await TestStack.run(["detail-fetcher=3"]) { stack in
                #expect(try await stack.gateway("quota").output.contains("부른 적이 없습니다"))
                try await stack.answered("show", "2019-03-15")
                let counted: Quota = try await stack.json("quota")
                #expect(counted["KOBIS"]?.used == 4 && counted["Kakao"]?.used == 3, "\(counted)")
                #expect(counted.accounts.allSatisfy { $0.used + $0.left == $0.limit && !$0.isExhausted })
                #expect(counted.accounts.allSatisfy { $0.resetsAt.hasSuffix("T15:00:00.000000Z") })
                #expect(!counted.accounts.contains { account in TestStack.usersKeys.values.contains(account.key) })

                try await stack.watching { feed in
                    try await stack.crash("cache-store/1")
                    try await feed.first("broker.worker_joined") { $0.says("instance", "cache-store/1") }
                }
                let afterwards: Quota = try await stack.json("quota")
                #expect(afterwards.accounts.map(\.key) == counted.accounts.map(\.key))
                // The crash counts the calls that were counted ahead.
                let (before, after) = try (#require(counted["KOBIS"]), #require(afterwards["KOBIS"]))
                #expect((before.used...before.used + 32).contains(after.used) && after.used + after.left == after.limit)
                try await stack.answered("movie", "20199001", "--refresh")
                let next: Quota = try await stack.json("quota")
                #expect(next["KOBIS"]?.used == after.used + 1)
                let text = try await stack.answered("quota")
                let row = #/KOBIS +[0-9a-f]{8} +([0-9]+) +[0-9,]+ +1,000,000 +한국 시각 0시/#
                #expect(try row.firstMatch(in: text.output)?.1 == "\(after.used + 1)", "\(text)")
            }
        }

        @Test func `at the limit no call is made and stored parts are used`() async throws {
            try await TestStack.run(environment: ["KOBIS_DAILY_LIMIT": "2"]) { stack in
                try await stack.answered("chart", "2016-01-01")
                try await stack.answered("chart", "2016-01-02")
                let calls = try await stack.upstream.calls {
                    let refused = try await stack.gateway("chart", "2016-01-03", "--lang", "en")
                    #expect(refused.status == 75 && refused.output.isEmpty, "\(refused)")
                    #expect(refused.errors.contains("2 of 2 calls are counted"), "\(refused)")
                    let stale: ChartAnswer = try await stack.json("chart", "2016-01-01", "--refresh")
                    #expect(stale.chart.status == "stale" && stale.chart.value?.date == "2016-01-01")
                    #expect(stale.chart.failure?.code == "quota_exceeded")
                }
                #expect(calls.isEmpty)
                let quota: Quota = try await stack.json("quota")
                #expect(quota["KOBIS"]?.used == 2 && quota["KOBIS"]?.left == 0 && quota["KOBIS"]?.limit == 2)
            }
        }

        @Test func `an exhausted quota that KOBIS reports is recorded`() async throws {
            try await TestStack.run { stack in
                let upstream = try stack.upstream
                try await upstream.withFault("quota") {
                    let calls = try await upstream.calls {
                        let refused = try await stack.gateway("chart", "2016-01-09", "--json")
                        #expect(refused.status == 75, "\(refused)")
                        let answer: ChartAnswer = try refused.decoded()
                        #expect(
                            answer.chart.failure?.code == "quota_exceeded" && answer.chart.failure?.httpStatus == 200)
                        #expect(
                            answer.chart.failure?.faultCode == "320011" && answer.chart.failure?.isRetryable == false)
                        #expect(answer.chart.failure?.message["ko"]?.contains("내일 다시 시도하세요") == true)
                    }
                    #expect(calls == [UpstreamSwitches.chartPath: 1])
                }
                // The upstream has recovered, but no fetcher knows it yet: it is called once an hour.
                let later = try await upstream.calls {
                    let refused = try await stack.gateway("chart", "2016-01-10", "--lang", "en")
                    #expect(
                        refused.status == 75 && refused.errors.contains("KOBIS says that the key's calls of"),
                        "\(refused)")
                    try await stack.answered("poster", "유리 등대")
                }
                #expect(later == [UpstreamSwitches.imagePath: 1])
                let reported = try await stack.pastEvents().filter { $0.kind == "chart.daily.answered" }
                #expect(reported.count == 2 && reported.allSatisfy { $0.says("code", "quota_exceeded") })
                try await stack.expectNoKey(in: [])
                let quota: Quota = try await stack.json("quota")
                #expect(quota["KOBIS"]?.isExhausted == true && quota["KOBIS"]?.left == 0)
                #expect(try await stack.answered("quota").output.contains("하루 이용량을 초과했다고 답했습니다"))
            }
        }
    }
}
