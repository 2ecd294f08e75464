import Assembly
import Contracts
import Domain
import Envelope
import Foundation
import HTTPTypes
import Localization
import TestSupport
import Testing

@testable import DemoUpstreamCore
@testable import WebCore

/// Has the archive learn the charts of a range.
func archive(_ days: ClosedRange<String>, _ stack: StackScene) async throws {
    let (first, last) = (try #require(Day(iso: days.lowerBound)), try #require(Day(iso: days.upperBound)))
    let query = Query(bus: stack.bus, deadline: .now + .seconds(30), clock: stack.ahead.clock)
    _ = try await query.archivedCharts(.daily, in: first...last, calls: 400) { _ in }
}

/// The ten films of a day in the demo data.
func ten(_ day: Day) -> [DemoFilm] {
    DemoWorld(seed: DemoUpstreamConfiguration().seed).ranking(during: day...day).places.prefix(10).map(\.film)
}

/// Pages about a range of days. The clock is at 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(2))) struct TimePageTests {
    @Test func `a month has the figures of the command line, and costs no call`() async throws {
        try await PageScene.run { stack, get in
            try await archive("2025-10-31"..."2025-11-30", stack)
            let (first, last) = (try #require(Day(iso: "2025-11-01")), try #require(Day(iso: "2025-11-30")))
            let query = Query(bus: stack.bus, deadline: .now + .seconds(10), clock: stack.ahead.clock)
            let top = try await query.topFilms(in: first...last, by: .audience, nation: nil, limit: 10, calls: 0)
            let calls = try await UpstreamSwitches(base: stack.upstream).calls {
                let page = try await get("/2025-11?lang=en", .get, [:])
                #expect(page.status == 200 && page.body.contains("<h1>November 2025</h1>"))
                #expect(page.body.contains("all 30 days"), "\(page.body)")
                for gain in top.films {
                    let figure = "\(gain.isExact ? "=" : "≥") \(gain.audience.withSeparators)"
                    #expect(page.body.contains(figure) && page.body.contains("/films/\(gain.code)"), "\(gain)")
                }
                for day in first...last {
                    let total = ten(day).reduce(0) { $0 + $1.takings(during: day...day, in: nil).admissions }
                    #expect(page.body.contains("<td>\(total.withSeparators)</td></tr>"), "\(day)")
                }
                #expect(page.body.components(separatedBy: "/2025-W").count > 5)
                let year = try await get("/2025?lang=ko", .get, [:])
                #expect(year.status == 200 && year.body.contains("365일 중 31일의 차트 기준"), "\(year.body)")
                let records = try await get("/records?lang=ko", .get, [:])
                #expect(records.body.contains("누락된 차트가 없는 가장 긴 기간 기준: 2025-10-31 ~ 2025-11-30"), "\(records.body)")
                let november = try await get("/records?range=+2025-11&lang=en", .get, [:])
                #expect(november.body.contains("2025-11-01 ~ 2025-11-30<"), "\(november.body)")
                #expect(november.body.contains("name=\"range\" value=\"2025-11\""))
                let part = try await get("/records?range=2025-09-01+~+2025-11-04&lang=en", .get, [:])
                #expect(part.body.contains("without a missing chart: 2025-10-31 ~ 2025-11-04"), "\(part.body)")
                let before = try await get("/records?range=2007&lang=en", .get, [:])
                #expect(before.status == 200 && before.body.contains("No chart of these days is archived yet."))
                for text in ["someday", "2002", "2025-11-05..2025-11-01"] {
                    let refused = try await get("/records?range=\(text)&lang=en", .get, [:])
                    #expect(refused.status == 400 && refused.body.contains("invalid period (e.g. 2022"), "\(text)")
                }
                let empty = try await get("/2007?lang=en", .get, [:])
                #expect(empty.status == 200 && empty.body.contains("No chart of these days is archived yet."))
            }
            #expect(calls == [:])
        }
    }

    @Test func `a film's page has its run as a plot and a table`() async throws {
        try await PageScene.run { stack, get in
            try await archive("2025-10-15"..."2025-11-30", stack)
            let day = try #require(Day(iso: "2025-11-08"))
            let film = ten(day)[0]
            let page = try await get("/films/\(film.code)?lang=en", .get, [:])
            #expect(page.status == 200 && page.body.contains("<svg class=\"run-plot\""), "\(page.body)")
            #expect(page.body.contains("<title id=\"run-title\">") && page.body.contains("<desc id=\"run-text\">"))
            let admissions = film.takings(during: day...day, in: nil).admissions.withSeparators
            #expect(page.body.contains(">2025-11-08</a></th>") && page.body.contains("<td>\(admissions)</td>"))
            let plot = try #require(page.body.components(separatedBy: "<svg class=\"run-plot\"").last)
            let bars = plot.components(separatedBy: "<rect class=\"bar").count - 1
            #expect(bars == page.body.components(separatedBy: "</a></th><td>D").count - 1 && bars > 7)
        }
    }

    @Test func `a row has the admissions of the last fortnight, as far as they are archived`() async throws {
        try await PageScene.run { stack, get in
            try await archive("2025-11-01"..."2025-11-10", stack)
            let (first, day) = (try #require(Day(iso: "2025-11-01")), try #require(Day(iso: "2025-11-11")))
            let calls = try await UpstreamSwitches(base: stack.upstream).calls {
                let page = try await get("/2025-11-11?lang=en", .get, [:])
                for film in ten(day) {
                    let known = (first...day).count { ten($0).contains { $0.code == film.code } }
                    let row = try #require(
                        page.body.components(separatedBy: "<li class=\"film\" ").last {
                            $0.contains("\"\(film.code)\"")
                        })
                    let trend = try #require(row.components(separatedBy: "<svg class=\"trend\"").last)
                    let bars =
                        trend.components(separatedBy: "</svg>")[0].components(separatedBy: "<rect class=\"bar").count
                        - 1
                    #expect(bars == known, "\(film.code)")
                }
            }
            #expect(calls[UpstreamSwitches.chartPath] == 1)
            // A region's chart, and a week's, have other figures than the archive.
            for target in ["/2025-11-11?area=seoul", "/2025-W45"] {
                let page = try await get(target, .get, [:])
                #expect(page.status == 200 && !page.body.contains("class=\"trend\""))
            }
        }
    }

    @Test func `a run of 400 days, a title of 120 characters and 217 actors have their page`() throws {
        let title = String(repeating: "긴 제목 ", count: 24)
        let first = Samples.date
        let rows = (0..<400).map { day in
            FilmDay(
                day: first.advanced(by: day), isProvisional: false,
                entry: Samples.entry(1, title, audience: 1_000, total: 1_000 * (day + 1)))
        }
        let run = try #require(FilmRun(rows, unknown: []))
        let film = FilmDetail(
            code: "20199882", title: title, directors: [Person(name: "감독", nameEnglish: nil)],
            actors: (1...217).map { CastMember(name: "배우\($0)", nameEnglish: nil, role: nil) })
        let frame = PageFrame(
            language: .ko, isLanguageChosen: false, yesterday: first.advanced(by: 500), assets: Assets(), site: nil)
        let page = DetailPage(frame: frame, posters: .off, now: Samples.now, decoded: DecodedParts())
        let archived = ArchivedRun(
            run: run, days: nil, unknown: [], source: .upstream, failure: nil, calls: 0)
        let part = PartOutcome.fresh([], cache: CacheStatus(hit: true, ttl: 60), sender: nil, source: .upstream)
        let html = String(
            decoding: page.html(
                film, at: .film(film.code), detail: part, poster: .failed(Samples.timeout), run: archived, how: nil),
            as: UTF8.self)
        #expect(html.components(separatedBy: "</a></th><td>D+").count - 1 == 400)
        #expect(html.contains("배우 217명 모두") && html.contains("배우8 외 209명") && html.contains("배우217"))
        #expect(html.contains("<h1><bdi>\(title)</bdi></h1>"))
    }

    @Test func `a visit fetches charts within the budget, and a button loads the rest`() async throws {
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        try await PageScene.run { stack, get in
            let code = ten(try #require(Day(iso: "2025-11-08")))[0].code
            let upstream = UpstreamSwitches(base: stack.upstream)
            var page = ""
            let visit = try await upstream.calls { page = try await get("/films/\(code)?lang=en", .get, [:]).body }
            #expect(visit[UpstreamSwitches.chartPath] == VisitorQueries.Cost.run)
            #expect(page.contains("days known</p>") && page.contains("<button>Load the rest"), "\(page)")
            let loaded = try await get("/films/\(code)/load?lang=en", .post, [site: "same-origin"])
            #expect(loaded.status == 303 && loaded.fields[.location] == "/films/\(code)?lang=en", "\(loaded)")
            let whole = try await get("/films/\(code)?lang=en", .get, [:])
            #expect(
                whole.body.contains("<svg class=\"run-plot\"") && !whole.body.contains("days known</p>"),
                "\(whole.body)")
            let read = try await get("/films/\(code)/load", .get, [:])
            #expect(read.status == 404 || read.status == 405)
        }
        // What is left is enough for a chart with its films, and no more.
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "105"]) { stack, get in
            let code = ten(try #require(Day(iso: "2025-11-08")))[0].code
            let visit = try await UpstreamSwitches(base: stack.upstream).calls {
                let page = try await get("/films/\(code)", .get, [:])
                #expect(page.status == 200)
            }
            #expect(visit[UpstreamSwitches.chartPath] == nil)
        }
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "0"]) { _, get in
            let refused = try await get("/films/20199001/load", .post, [site: "same-origin"])
            #expect(refused.status == 503)
        }
    }

    @Test func `films stand side by side, and what is wrong with them is said`() async throws {
        try await PageScene.run { stack, get in
            try await archive("2025-10-15"..."2025-11-30", stack)
            let films = ten(try #require(Day(iso: "2025-11-08")))
            let (one, other) = (films[0].code, films[1].code)
            let page = try await get("/compare?film=\(one)&film=\(other)&lang=en", .get, [:])
            #expect(page.status == 200 && page.body.components(separatedBy: "<polyline").count == 3, "\(page.body)")
            #expect(page.body.contains("Days to each milestone") && page.body.contains("Difference"))
            let byDate = try await get("/compare?film=\(one)&film=\(other)&by=date&lang=en", .get, [:])
            #expect(byDate.body.contains("<th scope=\"row\">2025-11-08</th>"))
            let unknown = try await get("/compare?film=\(one)&film=99999999&lang=en", .get, [:])
            #expect(unknown.body.contains("&#39;99999999&#39;: no archived chart has this film."))
            let nobody = try await get("/compare?film=\(one)&film=zzzz&lang=en", .get, [:])
            #expect(nobody.body.contains("No film is called &#39;zzzz&#39;."), "\(nobody.body)")
            let single = try await get("/compare?film=\(one)&film=\(one)&lang=en", .get, [:])
            #expect(single.status == 200 && single.body.contains("Give one more film."))
        }
    }

    @Test func `a day's brief is text, and JSON with the same figures`() async throws {
        try await PageScene.run { _, get in
            let text = try await get("/brief?date=2025-11-16&lang=en", .get, [:])
            #expect(text.status == 200 && text.field("Content-Type") == "text/plain; charset=utf-8")
            #expect(text.body.hasPrefix("Sunday, 16 November 2025") && text.body.split(separator: "\n").count == 4)
            let json = try await get("/brief.json?date=2025-11-16", .get, [:])
            let object = try #require(try JSONSerialization.jsonObject(with: Data(json.body.utf8)) as? [String: Any])
            let lead = try #require(object["lead"] as? Int)
            #expect(text.body.contains(lead.withSeparators) && object["date"] as? String == "2025-11-16")
        }
    }

    @Test func `without an archive the calendar leads to its days, and says what is missing`() async throws {
        try await PageScene.run(hasArchive: false) { _, get in
            let month = try await get("/calendar/2025-11?lang=en", .get, [:])
            #expect(month.status == 200 && month.body.contains("href=\"/2025-11-08?lang=en\""))
            #expect(month.body.contains("not available right now"), "\(month.body)")
            let films = try await get("/2025-11?lang=en", .get, [:])
            #expect(films.status == 503 && films.body.contains("not available right now"), "\(films.body)")
        }
    }
}
