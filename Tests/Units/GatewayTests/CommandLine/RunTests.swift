import Domain
import Foundation
import TerminalText
import TestSupport
import Testing

@testable import DemoUpstreamCore
@testable import GatewayCore

/// A film's run, and fills of the archive. The clock is at 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(2)), .scene()) struct RunTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    private struct Run: Decodable {
        struct Figures: Decodable { let chartDays, audienceTotal: Int }
        struct Day: Decodable, Equatable { let date: String, audience: Int, rank: Int }
        let code: String
        let complete: Bool
        let calls: Int
        let run: Figures
        let days: [Day]
    }

    @Test func `a run fetches the charts that it needs, and has the figures of each of them`() async throws {
        let printed = await scene.answered("run #3 --date 2025-10-20 --calls 200 --json")
        let run: Run = try printed.decoded()
        #expect(run.complete && run.calls > 7 && run.days.count == run.run.chartDays, "\(run) \(printed)")
        for day in run.days.prefix(3) {
            let chart = await scene.answered("chart \(day.date) --format csv --fields code,audience,rank")
            #expect(chart.lines.contains("\(run.code),\(day.audience),\(day.rank)"))
        }
        let again: Run = try await scene.answered("run \(run.code) --date 2025-10-20 --json").decoded()
        #expect(again.calls == 0 && again.days == run.days)
        let csv = await scene.answered(
            "run \(run.code) --date 2025-10-20 --offline --format csv --fields date,audience,rank")
        #expect(csv.lines.dropFirst().dropLast() == run.days.map { "\($0.date),\($0.audience),\($0.rank)" }[...])
    }

    @Test func `a film's page has the lines of its run, each with what it rests on`() async {
        await scene.answered("archive fill 2025-08-01..2025-08-20 --rate off")
        let movie = await scene.answered("movie #1 --date 2025-08-20 --lang en")
        for label in ["Total  ", "In the top 10  ", "Peak day  ", "Milestones  "] {
            #expect(movie.lines.contains { $0.hasPrefix(label) }, "\(movie)")
        }
    }

    @Test func `without the charts of a film, its run is not known, and how to fetch them is said`() async {
        // So that the archive knows the day.
        await scene.answered("archive fill 2025-04-20 --rate off")
        let some = await scene.gateway("run #1 --date 2025-04-20 --calls 0 --lang en")
        #expect(some.status == 0 && some.errors.hasPrefix("gateway: 4 charts are missing."), "\(some)")
        let basis = "(2025-04-16 ~ 2025-04-20, 4 charts missing)"
        #expect(some.output.contains("Peak day       at least 113,146 admissions \(basis)"), "\(some)")
        let code = await scene.answered("chart 2025-04-20 --top 1 --format csv --fields code").lines[1]
        let unknown = await scene.gateway("run \(code) --date 2025-04-18 --calls 0 --lang en")
        #expect(unknown.status == 66 && unknown.output.isEmpty, "\(unknown)")
        #expect(unknown.errors.contains("charts are missing. To fetch them: gateway archive fill 2025-"), "\(unknown)")
        let never = await scene.gateway("run 99999999 --lang en")
        #expect(never.status == 66, "\(never)")
    }

    @Test func `a film that never charted is said to have been outside the ten, between two days`() async throws {
        let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)
        let (first, last) = try (#require(Day("2025-01-01")), #require(Day("2025-08-31")))
        let places = (first...last).map { world.ranking(during: $0...$0).places.map(\.film) }
        let charted = Set(places.flatMap { $0.prefix(10).map(\.code) })
        let film = try #require(
            places[120...150].joined().first {
                !charted.contains($0.code) && $0.releaseDay.map((first.advanced(by: 120)...last).contains) == true
            })
        let printed = await scene.gateway("run \(film.code) --date 2025-08-31 --calls 60 --lang en")
        #expect(
            printed.status == 66
                && printed.errors.contains("This film (\(film.code)) was not in the top 10 between 2025-"),
            "\(printed)")
    }

    @Test func `several films with that title are listed`() async {
        let several = await scene.gateway("run 의 --date 2025-10-20 --lang en")
        #expect(several.status == 66 && several.errors.hasPrefix("gateway: '의': Several films match."), "\(several)")
    }

    @Test(arguments: [20, 40, 80, 160]) func `no line of a run is wider than the terminal`(columns: Int) async {
        for language in ["ko", "en"] {
            let printed = await scene.gateway(
                "run #1 --date 2025-10-20 --calls 200 --lang \(language)", columns: columns)
            let wide = printed.lines.filter { TextWidth.narrow.columns($0) > columns }
            #expect(printed.status == 0 && wide.isEmpty, "\(wide)")
        }
    }

    // MARK: Fills

    @Test func `a fill says first what it costs, and afterwards what is there`() async throws {
        let calls = try await scene.upstream.calls {
            let estimate = await scene.answered("archive fill 2025-03-01..2025-03-09 --dry-run --lang en")
            #expect(estimate.output.hasPrefix("9 charts, 9 missing: at most 9 calls"), "\(estimate)")
            #expect(estimate.output.hasSuffix(", about 1 s\n"))
        }
        #expect(calls.isEmpty)
        let filled = await scene.answered("archive fill 2025-03-01..2025-03-09 --rate off --lang en")
        #expect(filled.output == "Fetched 9 charts. All 9 charts are archived.\n")
        let status = await scene.answered("archive status --lang en")
        #expect(status.output.contains("2025-03-01..2025-03-09 done") && status.output.contains("/365 "), "\(status)")
        let again = try await scene.upstream.calls {
            await scene.answered("archive fill 2025-03-01..2025-03-09 --rate off")
        }
        #expect(again.isEmpty)
        // The details of charts that are all there are news as well.
        let details = await scene.answered("archive fill 2025-03-01 --details --rate off --lang en")
        #expect(
            details.output.hasPrefix("Fetched the details of ")
                && details.output.hasSuffix("The chart and the details of the films are archived.\n"), "\(details)"
        )
        let nothing = await scene.answered("archive fill 2025-03-01 --details --dry-run --lang en")
        #expect(nothing.output == "The chart and the details of the films are archived.\n")
    }

    @Test func `weeks have fills of their own, which can be detached and cancelled`() async {
        let fill = await scene.answered("archive fill 2025-01..2025-02 --weekly --rate 1 --detach --lang en")
        #expect(fill.output.contains(" left. To follow it: gateway archive status"), "\(fill)")
        let cancelled = await scene.answered("archive cancel --lang en")
        #expect(cancelled.output.contains("2025-01-01..2025-02-28 weekly cancelled"), "\(cancelled)")
        let none = await scene.gateway("archive pause --lang en")
        #expect(none.status == 66 && none.errors.contains("There is no such fill."), "\(none)")
    }

    @Test(arguments: [
        ("archive fill 2025-12-05..2025-12-01", "The range ends (2025-12-01) before it starts (2025-12-05)."),
        ("archive fill ..", "Invalid date or range '..'."),
        ("archive fill 2002", "No day of this range has a chart."),
        ("archive fill 2025-12 --rate 0", "--rate takes 1 to 100, or off."),
        ("archive fill 2025-12 --rate fast", "--rate takes 1 to 100, or off."),
    ])
    func `an impossible fill is refused without a call`(line: String, reason: String) async throws {
        let calls = try await scene.upstream.calls {
            let printed = await scene.gateway("\(line) --lang en")
            #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.contains(reason), "\(printed)")
        }
        #expect(calls.isEmpty)
    }
}
