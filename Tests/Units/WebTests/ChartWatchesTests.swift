import Domain
import ProcessKit
import TestSupport
import Testing

@testable import WebCore

@Suite struct ChartWatchesTests {
    private func chart(_ number: Int) -> ChartSelection { .daily(Day.firstChart.advanced(by: number)) }

    private func withWatches(_ body: (ChartWatches) async -> Void) async throws {
        try await BusScene.run { scene in
            try await scene.withBus("web/1") { bus in
                let queries = VisitorQueries(bus: bus, clock: .system, callsPerDay: 0)
                await body(ChartWatches(queries: queries, decoded: DecodedParts(), clock: .system))
            }
        }
    }

    @Test func `as many charts are watched as are bounded, each for any number of listeners`() async throws {
        try await withWatches { watches in
            for number in 0..<64 { #expect(watches.begin(chart(number)), "\(number)") }
            #expect(!watches.begin(chart(64)))
            for _ in 0..<100 { #expect(watches.begin(chart(0))) }
        }
    }

    @Test func `a chart without listeners makes room`() async throws {
        try await withWatches { watches in
            for number in 0..<64 { _ = watches.begin(chart(number)) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await watches.run { _, _ in } }
                watches.end(chart(5))
                // Its loop forgets it after the answer that it waits for.
                while !watches.begin(chart(64)) { await Task.yield() }
                watches.end()
            }
            #expect(!watches.begin(chart(65)))
        }
    }
}
