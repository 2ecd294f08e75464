import Contracts
import Envelope
import MessageBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct BreakerTests {
    @Test func `a failing upstream is not called, the stats report it, and calls resume when it recovers`() async throws
    {
        try await StackScene.run(chartFetchers: 1) { stack in
            try await stack.setUpstreamFault("error500")
            let opened = try await stack.waitForFailure(.upstreamUnavailable)
            #expect(opened.header.failure?.isRetryable == true)
            let calls = try await stack.calls("searchDaily")
            let refused = try await stack.chart("2018-01-01")
            #expect(refused.header.failure?.code == .upstreamUnavailable)
            #expect(try await stack.calls("searchDaily") == calls, "the upstream was not called")
            let health = try await stack.stats(ServiceName.chartFetcher).upstreams
            #expect(health?.map(\.state) == [.open] && (health?.first?.failuresInARow ?? 0) >= 10)

            try await stack.setUpstreamFault("none")
            let answer = try await stack.waitForAnswer()
            #expect(answer.header.cache?.stored == true)
            #expect(try await stack.stats(ServiceName.chartFetcher).upstreams?.map(\.state) == [.closed])
        }
    }
}

extension StackScene {
    /// Requests a chart until it fails with the code; the time limit of the suite ends the loop.
    fileprivate func waitForFailure(_ code: FailureCode) async throws -> Envelope {
        while true {
            let answer = try await chart("2018-01-01")
            if answer.header.failure?.code == code { return answer }
        }
    }

    fileprivate func waitForAnswer() async throws -> Envelope {
        while true {
            let answer = try await chart("2018-01-01")
            if answer.header.failure == nil { return answer }
        }
    }
}
