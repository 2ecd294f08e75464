import Contracts
import Domain
import Envelope
import MessageBus
import TestSupport
import Testing

/// cache-store, the fetchers and the demo use clocks that the test controls.
@Suite(.timeLimit(.minutes(1))) struct ProvisionalChartTests {
    /// Unix time of 2026-01-01, 9:00 in Seoul.
    private static let nine = 1_767_225_600.0
    private static let hour = 3600.0

    @Test func `yesterday's chart is fetched again after minutes, at noon, and then after hours`() async throws {
        try await StackScene.run(from: Self.nine) { stack in
            #expect(try await stack.chart("2025-12-31").header.cache?.ttl == 600)
            stack.ahead.advance(580)
            #expect(try await stack.chart("2025-12-31").header.cache?.hit == true)
            stack.ahead.advance(20)
            #expect(try await stack.chart("2025-12-31").header.cache?.fwd == .stale)
            // 11:58
            stack.ahead.advance(3 * Self.hour - 600 - 120)
            #expect(try await stack.chart("2025-12-31").header.cache?.ttl == 120)
            stack.ahead.advance(120)
            let settled = try await stack.chart("2025-12-31")
            #expect(settled.header.cache?.fwd == .stale && settled.header.cache?.ttl == 6 * 3600)
            #expect(try await stack.calls("searchDaily") == 4)
        }
    }

    @Test func `a correction at noon is published with its differences, once`() async throws {
        try await StackScene.run(from: Self.nine) { stack in
            let events = try await stack.bus.subscribe()
            let early = try JSONBytes.decode(Chart.self, from: try await stack.chart("2025-12-31").payload)
            // Fetched again before noon: the same figures cause no event.
            stack.ahead.advance(600)
            _ = try await stack.chart("2025-12-31")
            stack.ahead.advance(3 * Self.hour - 600)
            let settled = try JSONBytes.decode(Chart.self, from: try await stack.chart("2025-12-31").payload)
            _ = try await stack.chart("2025-12-31")
            stack.ahead.advance(6 * Self.hour)
            _ = try await stack.chart("2025-12-31")
            _ = try await stack.chart("2025-12-30")

            var revised: [Event] = []
            // The event of the last request ends the list.
            while let (event, _) = try await events.next() {
                if event.event.kind == "chart.revised" { revised.append(event.event) }
                if event.event.attributes["key"] == .text("chart.daily?date=2025-12-30") { break }
            }
            await events.close()
            let revision = try #require(ChartRevision(from: early, to: settled))
            #expect(revised.count == 1)
            let attributes = try #require(revised.first?.attributes)
            #expect(attributes["chart"] == .text("daily 2025-12-31") && attributes["state"] == .text("settled"))
            #expect(attributes["films"] == .number(revision.changes.count))
            let audience = revision.changes.filter { $0.audience != 0 }.map { "\($0.code):+\($0.audience)" }
            #expect(attributes["audience"] == .text(audience.joined(separator: ",")) && !audience.isEmpty)
            #expect(
                attributes["ranks"] == .text("") && attributes["entered"] == .text("")
                    && attributes["left"] == .text(""))
        }
    }

    @Test func `an unpublished chart is remembered for minutes, and available after midnight`() async throws {
        try await StackScene.run(from: Self.nine) { stack in
            for _ in 0..<3 {
                let answer = try await stack.chart("2026-01-01")
                #expect(answer.header.failure?.code == .notPublished && answer.header.failure?.isRetryable == true)
            }
            #expect(try await stack.calls("searchDaily") == 1)
            stack.ahead.advance(300)
            #expect(try await stack.chart("2026-01-01").header.failure?.code == .notPublished)
            #expect(try await stack.calls("searchDaily") == 2)
            // Fifteen hours later: the next day.
            stack.ahead.advance(15 * Self.hour)
            let published = try await stack.chart("2026-01-01")
            #expect(published.header.status == .ok && published.header.cache?.ttl == 600)
        }
    }

    @Test func `a filtered chart before publication is not reported as empty`() async throws {
        // 00:10; KOBIS publishes at 01:00.
        try await StackScene.run(from: Self.nine - 9 * Self.hour + 600, upstreamDelay: Self.hour) { stack in
            for filter in [ChartFilter.everything, ChartFilter(nation: .korean), ChartFilter(diversity: .diverse)] {
                let early = try await stack.chart("2025-12-31", filter: filter)
                #expect(early.header.failure?.code == .notPublished && early.header.failure?.isRetryable == true)
            }
            // It is remembered for five minutes, and published after 50 minutes.
            stack.ahead.advance(Self.hour)
            #expect(try await stack.chart("2025-12-31", filter: ChartFilter(nation: .korean)).header.status == .ok)
        }
    }
}
