import BoxOffice
import Contracts
import Envelope
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RememberedFailureTests {
    @Test func `what is not there is asked for once, until it is forgotten`() async throws {
        try await StackScene.run { stack in
            // The demo's clock stands at 2026-01-01: this day is not published.
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

    @Test func `a refresh asks again, and what it finds is kept`() async throws {
        try await StackScene.run { stack in
            _ = try await stack.chart("2026-01-01")
            #expect(try await stack.chart("2026-01-01", isRefresh: true).header.cache?.hit == false)
            #expect(try await stack.calls("searchDaily") == 2)
        }
    }

    @Test(arguments: ["error500", "html", "key"])
    func `what went wrong on the way is not remembered`(fault: String) async throws {
        try await StackScene.run { stack in
            try await stack.upstreamFault(fault)
            #expect(try await stack.chart("2018-01-01").header.status == .failed)
            try await stack.upstreamFault("none")
            #expect(try await stack.chart("2018-01-01").header.status == .ok)
        }
    }

    @Test func `an old value comes with its own age, whatever is remembered`() async throws {
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

    @Test func `a value forgets the failure`() async throws {
        try await StackScene.run { stack in
            _ = try await stack.chart("2026-01-01")
            #expect(try await stack.put(#"{"x":1}"#, under: "chart.daily?date=2026-01-01", ageMilliseconds: 0).isStored)
            #expect(try await stack.chart("2026-01-01").header.cache?.hit == true)
            stack.ahead.advance(61)
            #expect(try await stack.chart("2026-01-01").header.cache?.fwd == .stale, "asked again, not remembered")
        }
    }
}
