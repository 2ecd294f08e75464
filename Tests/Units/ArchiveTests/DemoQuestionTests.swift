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
@Suite("Questions to the archive about the demo", .timeLimit(.minutes(2)))
struct DemoQuestionTests {
    private let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)
    private let days = "2025-09-01".day..."2025-11-30".day

    private func query(_ scene: StackScene) -> Query {
        Query(bus: scene.bus, deadline: .now + .seconds(30), clock: scene.ahead.clock)
    }

    private func places(_ day: Day) -> [DemoFilm] { world.ranking(during: day...day).places.prefix(10).map(\.film) }

    @Test("The truth is in every bound and equals every exact gain, and what is missing is fetched once")
    func top() async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            let whole = try await query(scene).topFilms(
                in: days, by: .audience, nation: nil, limit: 100, calls: 100)
            // The day before tells what the films had.
            #expect(whole.basis.calls == days.count + 1 && whole.basis.isComplete && whole.basis.chart == .daily)
            var ranges = [days]
            for _ in 0..<20 {
                let (one, other) = (days.randomElement() ?? days.lowerBound, days.randomElement() ?? days.lowerBound)
                ranges.append(min(one, other)...max(one, other))
            }
            var exact = 0
            for range in ranges {
                let reply = try await query(scene).topFilms(
                    in: range, by: .audience, nation: nil, limit: 100, calls: 100)
                #expect(reply.basis.calls == 0)
                #expect(reply.films == reply.films.sorted { $0.precedes($1, by: .audience) })
                for gain in reply.films {
                    let film = try #require(world.film(code: gain.code))
                    let truth = film.takings(during: range, in: nil).admissions
                    #expect(gain.isExact ? gain.audience == truth : gain.audience <= truth, "\(range) \(gain) \(truth)")
                    exact += gain.isExact ? 1 : 0
                }
                #expect(Set(range.flatMap(places).map(\.code)).count == reply.total)
            }
            #expect(exact > 20)
        }
    }

    @Test("A year rests on its weeks when days are missing")
    func weeks() async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            // It begins on a Tuesday, and ends on one.
            let year = "2019-01-01".day..."2019-12-31".day
            let reply = try await query(scene).topFilms(in: year, by: .sales, nation: nil, limit: 10, calls: 60)
            #expect(reply.basis.chart == .weekly && reply.basis.calls == 51 && reply.films.count == 10)
            #expect(reply.basis.days == "2019-01-07".day..."2019-12-29".day)
            for gain in reply.films {
                let film = try #require(world.film(code: gain.code))
                #expect(!gain.isExact && gain.audience <= film.takings(during: year, in: nil).admissions)
            }
            // Its first days, of which one week is not whole, do not tell more than the year.
            let first = "2019-01-01".day..."2019-01-10".day
            let days = try await query(scene).topFilms(in: first, by: .audience, nation: nil, limit: 100, calls: 60)
            let whole = try await query(scene).topFilms(in: year, by: .audience, nation: nil, limit: 100, calls: 0)
            #expect(days.basis.chart == .daily && whole.basis.chart == .weekly)
            let gains = Dictionary(whole.films.map { ($0.code, $0.audience) }, uniquingKeysWith: { $1 })
            for gain in days.films where gains.count < 100 || gain.audience > whole.films.last?.audience ?? 0 {
                #expect(gains[gain.code] ?? 0 >= gain.audience, "\(gain)")
            }
        }
    }

    @Test("Shares are those of the ten, by the details that were fetched")
    func share() async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            let week = "2025-11-03".day..."2025-11-09".day
            let reply = try await query(scene).shares(in: week, by: .day, calls: 60)
            let films = Set(week.flatMap(places).map(\.code))
            #expect(reply.basis.calls == 7 + films.count && reply.withoutNation == 0)
            #expect(reply.periods.map(\.first) == Array(week))
            for share in reply.periods {
                let ten = places(share.first)
                func sum(_ films: [DemoFilm]) -> Int {
                    films.reduce(0) { $0 + $1.takings(during: share.first...share.first, in: nil).admissions }
                }
                #expect(share.audience == sum(ten) && share.korean + share.coproduction == sum(ten.filter(\.isKorean)))
            }
            let korean = try await query(scene).topFilms(
                in: week, by: .days, nation: .korean, limit: 100, calls: 0)
            #expect(korean.withoutNation == 0)
            #expect(korean.films.allSatisfy { world.film(code: $0.code)?.isKorean == true } && !korean.films.isEmpty)
        }
    }

    @Test("A film that entered was outside the ten for as long as is said")
    func entries() async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { scene in
            let november = "2025-11-01".day..."2025-11-30".day
            _ = try await query(scene).archivedCharts(.daily, in: days, calls: 100) { _ in }
            let reply = try await query(scene).newFilms(in: november, calls: 0)
            #expect(!reply.films.isEmpty && reply.films.allSatisfy { $0.kind != .unclear })
            for film in reply.films {
                #expect(places(film.day).contains { $0.code == film.code })
                for day in NewFilm.Kind.daysBefore(film.day) {
                    #expect(!places(day).contains { $0.code == film.code }, "\(film) \(day)")
                }
            }
            let entered = Set(reply.films.map(\.code))
            let before = Set((days.lowerBound..."2025-10-31".day).flatMap(places).map(\.code))
            #expect(Set(november.flatMap(places).map(\.code)).subtracting(before) == entered.subtracting(before))
        }
    }
}
