import Assembly
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import TestSupport
import Testing

@testable import DemoUpstreamCore

/// The demo world is the truth: it knows the films outside the ten. The clock is at 2026-01-01 09:00 in Seoul.
@Suite("A film's run", .timeLimit(.minutes(2)))
struct ArchiveRunTests {
    private let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)
    private let last = "2025-12-30".day

    private func query(_ scene: StackScene) -> Query {
        Query(bus: scene.bus, deadline: .now + .seconds(20), clock: scene.ahead.clock)
    }

    private func admissions(_ film: DemoFilm, _ days: ClosedRange<Day>) -> Int {
        film.takings(during: days, in: nil).admissions
    }

    @Test("Rows, bands and proven days are those of the demo, and are fetched once")
    func run() async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            let code = world.ranking(during: "2025-11-01".day..."2025-11-01".day).places[4].film.code
            let film = try #require(world.film(code: code))
            let opening = try #require(film.releaseDay)
            let archived = try await query(scene).filmRun(of: code, openedOn: opening, until: last, calls: 200)
            let run = try #require(archived.run)
            #expect(archived.calls > 20 && archived.unknown.isEmpty && archived.isComplete && archived.source == .demo)
            for row in run.rows { #expect(row.entry.audience == admissions(film, row.day...row.day)) }
            for day in run.provenDays { #expect(day.audience == admissions(film, day.date...day.date)) }
            for band in run.bands {
                let first = band.first ?? opening.advanced(by: -60)
                #expect(band.audience == admissions(film, first...band.last), "\(band)")
            }
            let again = try await query(scene).filmRun(of: code, openedOn: nil, until: last, calls: 200)
            #expect(again.calls == 0 && again.run == run)
        }
    }

    @Test("No more is fetched than allowed, and what is missing is said")
    func limit() async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            let film = world.ranking(during: last...last).places[0].film
            let none = try await query(scene).filmRun(of: film.code, openedOn: nil, until: last, calls: 60)
            #expect(none.run == nil && none.calls == 0 && none.unknown.isEmpty)
            let some = try await query(scene).filmRun(of: film.code, openedOn: film.releaseDay, until: last, calls: 9)
            #expect(some.calls == 9 && !some.isComplete)
            let missing = some.unknown.reduce(0) { $0 + $1.count }
            let whole = try await query(scene).filmRun(of: film.code, openedOn: film.releaseDay, until: last, calls: 60)
            #expect(missing > 0 && whole.isComplete && whole.calls >= missing)
        }
    }

    @Test("A film's days are asked for in pages, without a gap")
    func pages() async throws {
        // A page has 450 rows, more than a film of the demo has.
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            let film = world.ranking(during: last...last).places[0].film
            let whole = try await query(scene).filmRun(of: film.code, openedOn: film.releaseDay, until: last, calls: 60)
            let run = try #require(whole.run)
            let middle = run.rows[run.rows.count / 2].day
            let question = ArchiveRunRequest(
                code: film.code, openingDay: nil, first: middle, last: last, calls: 60)
            let reply = try await scene.bus.request(
                BusRequest(
                    service: ServiceName.archive, kind: ArchiveRunRequest.kind, trace: .root(),
                    payload: JSONBytes.encode(question)), deadline: .now + .seconds(10))
            let page = try JSONBytes.decode(ArchiveRunReply.self, from: reply.envelope.payload)
            #expect(page.rows == run.rows.filter { $0.day >= middle } && page.next == nil && page.calls == 0)
        }
    }
}
