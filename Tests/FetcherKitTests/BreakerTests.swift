import Contracts
import Envelope
import MessageBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct BreakerTests {
    @Test func `a dead upstream is left alone, which everybody can see, and asked again when it is back`() async throws
    {
        try await StackScene.run(chartFetchers: 1) { stack in
            try await stack.upstreamFault("error500")
            let opened = try await stack.untilFailure(.upstreamUnavailable)
            #expect(opened.header.failure?.isRetryable == true)
            let calls = try await stack.calls("searchDaily")
            let refused = try await stack.chart("2018-01-01")
            #expect(refused.header.failure?.code == .upstreamUnavailable)
            #expect(try await stack.calls("searchDaily") == calls, "nobody was asked")
            let health = try await stack.stats(ServiceName.chartFetcher).upstreams
            #expect(health?.map(\.state) == [.open] && (health?.first?.failuresInARow ?? 0) >= 10)

            try await stack.upstreamFault("none")
            let well = try await stack.untilAnswered()
            #expect(well.header.cache?.stored == true)
            #expect(try await stack.stats(ServiceName.chartFetcher).upstreams?.map(\.state) == [.closed])
        }
    }
}

extension StackScene {
    /// Asks for a chart until it fails so; the suite's time limit ends it.
    fileprivate func untilFailure(_ code: FailureCode) async throws -> Envelope {
        while true {
            let answer = try await chart("2018-01-01")
            if answer.header.failure?.code == code { return answer }
        }
    }

    fileprivate func untilAnswered() async throws -> Envelope {
        while true {
            let answer = try await chart("2018-01-01")
            if answer.header.failure == nil { return answer }
        }
    }
}
