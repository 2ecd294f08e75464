import Contracts
import Domain
import Envelope
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RememberedFailureTests {
    @Test func `a missing chart is requested once until the failure expires`() async throws {
        try await StackScene.run { stack in
            // The clock of the demo is fixed at 2026-01-01: this day is not published.
            let first = try await stack.chart("2026-01-01")
            #expect(first.header.failure?.code == .empty && first.header.cache?.fwd == .uriMiss)
            let second = try await stack.chart("2026-01-01")
            #expect(second.header.failure == first.header.failure)
            #expect(second.header.cache?.hit == true && (second.header.cache?.ttl ?? 0) > 0)
            #expect(try await stack.calls("searchDaily") == 1)

            stack.ahead.advance(601)
            #expect(try await stack.chart("2026-01-01").header.failure?.code == .empty)
            #expect(try await stack.calls("searchDaily") == 2)
        }
    }

    @Test func `a refresh calls the upstream despite a remembered failure`() async throws {
        try await StackScene.run { stack in
            _ = try await stack.chart("2026-01-01")
            #expect(try await stack.chart("2026-01-01", isRefresh: true).header.cache?.hit == false)
            #expect(try await stack.calls("searchDaily") == 2)
        }
    }

    @Test(arguments: ["error500", "html", "key"])
    func `a failure of the upstream is not remembered`(fault: String) async throws {
        try await StackScene.run { stack in
            try await stack.setUpstreamFault(fault)
            #expect(try await stack.chart("2018-01-01").header.status == .failed)
            try await stack.setUpstreamFault("none")
            #expect(try await stack.chart("2018-01-01").header.status == .ok)
        }
    }

    @Test func `a stale value is answered with its own age despite a remembered failure`() async throws {
        try await StackScene.run { stack in
            #expect(try await stack.put(#"{"x":1}"#, under: "chart.daily?date=2026-01-01", ageMilliseconds: 0).isStored)
            stack.ahead.advance(1_000)
            for _ in 0..<2 {
                let answer = try await stack.chart("2026-01-01")
                #expect(answer.header.status == .stale && answer.header.failure?.code == .empty)
                #expect((answer.header.cache?.age ?? 0) >= 1_000 && (answer.header.cache?.ttl ?? 0) < 0)
            }
            #expect(try await stack.calls("searchDaily") == 1)
        }
    }

    @Test func `a stored value replaces the remembered failure`() async throws {
        try await StackScene.run { stack in
            _ = try await stack.chart("2026-01-01")
            #expect(try await stack.put(#"{"x":1}"#, under: "chart.daily?date=2026-01-01", ageMilliseconds: 0).isStored)
            #expect(try await stack.chart("2026-01-01").header.cache?.hit == true)
            stack.ahead.advance(61)
            #expect(try await stack.chart("2026-01-01").header.cache?.fwd == .stale, "requested again, not remembered")
        }
    }
}
