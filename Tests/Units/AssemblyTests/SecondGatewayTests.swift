import Assembly
import BusSettings
import Contracts
import Domain
import Envelope
import Foundation
import MessageBus
import ProcessKit
import ServiceKit
import Synchronization
import TestSupport
import Testing

/// The library alone, as another gateway uses it, with a real broker, cache-store, fetchers and demo upstream.
@Suite(.timeLimit(.minutes(1))) struct SecondGatewayTests {
    private struct Answer: Decodable {
        struct Film: Decodable {
            let code: String
            let detail: Part
            let poster: Part
        }

        struct Part: Decodable {
            let status: String
        }

        let complete: Bool
        let films: [Film]
    }

    @Test func `a second gateway gets a whole answer in a few lines`() async throws {
        try await StackScene.run { scene in
            // The complete code of such a gateway.
            let configuration = try BusConfiguration.find(
                scene.bus.address, Environment([:]), instance: "second-gateway/1")
            let json = try await withMessageBus(configuration) { bus in
                let day = try Day.ofChart("2022-01-05", now: WallClock.system.now())
                let query = Query(bus: bus, deadline: .now + .seconds(20))
                return try AnswerJSON.show(await query.show(.daily(day), top: 3))
            }
            let answer = try JSONDecoder().decode(Answer.self, from: Data(json))
            #expect(answer.complete && answer.films.count == 3)
            #expect(answer.films.allSatisfy { $0.detail.status == "ok" && $0.poster.status == "ok" })
        }
    }

    @Test func `snapshots begin with the chart and gain one part each`() async throws {
        try await StackScene.run { scene in
            let query = Query(bus: scene.bus, deadline: .now + .seconds(20))
            var arrived: [Int] = []
            let day = try #require(Day(iso: "2022-01-05"))
            let answer = try await query.show(.daily(day), top: 3) { arrived.append($0.parts.count) }
            #expect(arrived == Array(1...7) && answer.isComplete)

            var cached: [ShowAssembly] = []
            _ = try await Query(bus: scene.bus, deadline: .now + .seconds(20)).show(.daily(day), top: 3) {
                cached.append($0)
            }
            #expect(cached.count == 1 && cached.first?.isComplete == true, "all of it was in the cache")
        }
    }

    @Test func `after stale parts the query continues until they are fresh`() async throws {
        try await StackScene.run { scene in
            let day = try #require(Day(iso: "2022-01-05"))
            func show(
                refreshesStale: Bool, _ onSnapshot: ((ShowAssembly) -> Void)? = nil
            ) async throws -> ShowAssembly {
                let policy = AnswerPolicy(staleWhileRevalidate: .seconds(1_000_000_000))
                return try await Query(bus: scene.bus, deadline: .now + .seconds(20), policy: policy)
                    .show(.daily(day), top: 2, refreshesStale: refreshesStale, onSnapshot: onSnapshot)
            }
            #expect(try await show(refreshesStale: false).isComplete)
            // Past the freshness of a settled chart, which is thirty days.
            scene.ahead.advance(40 * 86_400)
            var snapshots: [ShowAssembly] = []
            let answer = try await show(refreshesStale: true) { snapshots.append($0) }
            #expect(answer.isComplete && answer.parts.count == 5)
            let whole = snapshots.drop { !$0.missing.isEmpty }
            #expect(whole.first?.parts.allSatisfy(\.isRevalidating) == true)
            #expect(
                whole.count > 1 && whole.allSatisfy { $0.missing.isEmpty }, "a stale part stays until a fresh one comes"
            )
        }
    }

    @Test func `a key that is not stored differs from a cache that did not answer`() async throws {
        try await StackScene.run { scene in
            let cached = try await Query(bus: scene.bus, deadline: .now + .seconds(20)).peek(["movie.detail?code=1"])
            #expect(cached.failure == nil && cached["movie.detail?code=1"]?.value == nil)
        }
        try await StackScene.run(hasCache: false) { scene in
            let query = Query(bus: scene.bus, deadline: .now + .seconds(20))
            let keys = (0..<100).map { "movie.detail?code=\($0)" }
            let cached = try await query.peek(keys)
            #expect(["unavailable", "timeout"].contains(cached.failure?.code.rawValue))
            #expect(query.explanation.steps.count == 1, "the pages after one without an answer are not requested")
        }
    }

    @Test func `a watched chart is reported at once and on request, and otherwise only after a change`() async throws {
        try await StackScene.run { scene in
            let watcher = ChartWatcher(
                bus: scene.bus, requests: SharedRequests(), policy: AnswerPolicy(), timeout: .seconds(20))
            var states: [ChartWatcher.Reader] = [.disconnected, .waits, .needsReport, .waits]
            var reports: [ChartWatcher.Report] = []
            let day = try #require(Day(iso: "2022-01-05"))
            try await watcher.run(
                day, top: 1, reader: { states.popLast() ?? .disconnected },
                report: { report in
                    reports.append(report)
                    return true
                })
            #expect(reports.count == 2 && reports.allSatisfy { $0.day == day })
            #expect(try reports.first?.answer.get().isComplete == true)
        }
    }
}
