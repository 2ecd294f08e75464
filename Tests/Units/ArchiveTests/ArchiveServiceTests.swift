import Assembly
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import TestSupport
import Testing

@Suite("The archive in a stack", .timeLimit(.minutes(2)))
struct ArchiveServiceTests {
    /// 2026-01-01 09:00 in Seoul.
    private static let start: Double = 1_767_225_600
    private let december = "2025-12-01".day..."2025-12-05".day

    private func withArchive(_ body: (StackScene) async throws -> Void) async throws {
        try await StackScene.run(hasArchive: true, from: Self.start, body)
    }

    private func charts(
        _ scene: StackScene, _ days: ClosedRange<Day>, calls: Int, _ kind: ChartKind = .daily
    ) async throws -> (charts: [ArchivedChart], calls: Int) {
        var found: [ArchivedChart] = []
        let calls = try await query(scene).archivedCharts(kind, in: days, calls: calls) { found += $0 }
        return (found, calls)
    }

    private func state(_ scene: StackScene, _ day: Day, calls: Int) async throws -> ChartState? {
        try await charts(scene, day...day, calls: calls).charts.first?.state
    }

    private func query(_ scene: StackScene) -> Query {
        Query(bus: scene.bus, deadline: .now + .seconds(20), clock: scene.ahead.clock)
    }

    @Test("A range is fetched once, and answered from the archive afterwards")
    func fetchedOnce() async throws {
        try await withArchive { scene in
            let first = try await charts(scene, december, calls: 60)
            #expect(first.calls == 5)
            #expect(first.charts.map(\.date) == Array(december))
            #expect(first.charts.allSatisfy { $0.state == .settled && $0.source == .demo && $0.entries.count == 10 })
            let again = try await charts(scene, december, calls: 60)
            #expect(again.calls == 0)
            #expect(again.charts == first.charts)
            let outcome = try await query(scene).chart(.daily(december.lowerBound))
            let shown = try JSONBytes.decode(Chart.self, from: #require(outcome.value))
            #expect(shown.entries == first.charts.first?.entries)
        }
    }

    @Test("No more is fetched than allowed; the other days are unknown, not empty")
    func limit() async throws {
        try await withArchive { scene in
            let some = try await charts(scene, december, calls: 2)
            #expect(some.calls == 2)
            #expect(some.charts.map(\.state) == [.settled, .settled, .unknown, .unknown, .unknown])
            let afterwards = try await charts(scene, december, calls: 0).charts
            #expect(afterwards == some.charts)
        }
    }

    @Test("A page has at most 100 charts and 256 KB; the next one follows it without a gap")
    func pages() async throws {
        try await withArchive { scene in
            let days = "2025-05-20".day..."2025-12-05".day
            var pages: [Int] = []
            var found: [ArchivedChart] = []
            let calls = try await query(scene).archivedCharts(.daily, in: days, calls: 31) {
                pages.append($0.count)
                found += $0
            }
            #expect(calls == 31)
            #expect(pages == [100, 100])
            #expect(found.map(\.date) == Array(days))
            let chart = try #require(found.first)
            let page = try JSONBytes.encode(ArchiveChartsReply(charts: Array(repeating: chart, count: 100), calls: 31))
            #expect(page.count < 256 << 10)
        }
    }

    @Test("Weeks have their own charts")
    func weeks() async throws {
        try await withArchive { scene in
            let weeks = try await charts(scene, "2025-12-03".day..."2025-12-14".day, calls: 10, .weekend)
            #expect(weeks.charts.map(\.date) == ["2025-12-05".day, "2025-12-12".day])
            #expect(weeks.charts.allSatisfy { $0.state == .settled })
        }
    }

    @Test("What somebody else fetches is archived without a call")
    func learning() async throws {
        try await withArchive { scene in
            let stream = try await scene.bus.subscribe()
            _ = try await query(scene).chart(.daily("2025-11-20".day))
            // The archive looks at the entry that was put.
            var isPut = false
            while let (event, _) = try await stream.next() {
                isPut = isPut || event.event.kind == EventKind.answered(CachePutRequest.kind)
                if isPut, event.event.kind == EventKind.answered(CachePeekRequest.kind) { break }
            }
            await stream.close()
            var state: ChartState?
            let deadline = ContinuousClock.now + .seconds(10)
            while state != .settled, .now < deadline {
                state = try await self.state(scene, "2025-11-20".day, calls: 0)
            }
            #expect(state == .settled)
        }
    }

    @Test("Yesterday is provisional before noon, and settled by a fetch after it")
    func settling() async throws {
        try await withArchive { scene in
            let yesterday = "2025-12-31".day
            let seenBeforeNoon = try await state(scene, yesterday, calls: 1)
            #expect(seenBeforeNoon == .provisional)
            scene.ahead.advance(4 * 3600)
            let notFetchedAgain = try await state(scene, yesterday, calls: 0)
            #expect(notFetchedAgain == .provisional)
            #expect(try await state(scene, yesterday, calls: 1) == .settled)
        }
    }

    @Test("Charts that nobody asks for are fetched once for each look")
    func looks() async throws {
        try await StackScene.run(hasArchive: true, isArchiveLooking: true, from: Self.start) { scene in
            // Those of the last 24 hours, at 09:00.
            let days = ["2025-12-31", "2025-12-30", "2025-12-29", "2025-12-23", "2025-11-30"].map(\.day)
            let all = "2025-11-30".day..."2025-12-31".day
            var known: [Day: ChartState] = [:]
            let deadline = ContinuousClock.now + .seconds(20)
            while known.count < days.count, .now < deadline {
                let found = try await charts(scene, all, calls: 0).charts.filter { $0.state != .unknown }
                known = Dictionary(found.map { ($0.date, $0.state) }, uniquingKeysWith: { $1 })
            }
            #expect(Set(known.keys) == Set(days))
            #expect(known[days[0]] == .provisional && known[days[1]] == .settled)
        }
    }

    @Test("A range that ends before it starts is refused")
    func reversed() async throws {
        try await withArchive { scene in
            let question = #"{"calls":0,"chart":"daily","first":"2025-12-05","last":"2025-12-01"}"#
            let request = BusRequest(
                service: ServiceName.archive, kind: ArchiveChartsRequest.kind, trace: .root(),
                payload: Array(question.utf8))
            let reply = try await scene.bus.request(request, deadline: .now + .seconds(10))
            #expect(reply.envelope.header.failure?.code == .malformed)
        }
    }
}
