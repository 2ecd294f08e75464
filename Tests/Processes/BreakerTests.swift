import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// An upstream that is unavailable for a while.
    @Suite(.serialized, .stack()) struct BreakerTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `an unavailable upstream is not called, and is called again after it recovers`() async throws {
            let upstream = try stack.upstream
            try await stack.watching { feed in
                try await upstream.withFault("error503") {
                    var result = try await stack.gateway("chart", "2016-05-01", "--json")
                    while try result.decoded(ChartAnswer.self).chart.failure?.code != "upstream_unavailable" {
                        #expect(result.status == 69)
                        result = try await stack.gateway("chart", "2016-05-01", "--json")
                    }
                    #expect(result.status == 69 && result.errors.contains("잠시 묻지 않습니다"))
                    #expect(try await feed.first("query.answered").text("status") == "failed")
                    let opened = try await feed.first("breaker.open")
                    #expect(opened.source == "chart-fetcher/1" && opened.text("host")?.hasPrefix("127.0.0.1:") == true)
                    let calls = try await upstream.calls { _ = try await stack.gateway("chart", "2016-05-02") }
                    // No call or one probe, never the three attempts of a request.
                    #expect((calls[UpstreamSwitches.chartPath] ?? 0) <= 1)
                    #expect(try await stack.answered("stats", "chart-fetcher").output.contains("연속 응답하지 않아"))
                }
                // A probe detects that it is healthy again.
                while try await stack.gateway("chart", "2016-05-01").status != 0 { try Task.checkCancellation() }
                try await feed.first("breaker.closed")
            }
        }
    }
}
