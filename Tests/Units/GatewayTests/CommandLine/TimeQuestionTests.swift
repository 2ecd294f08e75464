import Domain
import Foundation
import Localization
import TerminalText
import TestSupport
import Testing

@testable import DemoUpstreamCore
@testable import GatewayCore

/// Questions about a range of days. The clock is at 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(2)), .scene()) struct TimeQuestionTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    private static let lines = [
        "top 2025-11-03..2025-11-16", "compare #1 #2 --date 2025-11-16 --calls 200",
        "share 2025-11-03..2025-11-16 --by week", "records 2025-11-03..2025-11-16", "new 2025-11-03..2025-11-16",
        "brief 2025-11-16",
    ]

    @Test(arguments: lines) func `JSON is as its schema says, and each other form has rows`(line: String) async throws {
        let json = await scene.answered("\(line) --json")
        let name = String(line.prefix { $0 != " " })
        #expect(try await FormatTests.complaints([json.output], schema: name) == "")
        for form in ["csv", "tsv", "ndjson"] {
            let printed = await scene.answered("\(line) --format \(form)")
            #expect(printed.lines.count > 1, "\(printed)")
        }
        let field = name == "brief" || name == "compare" ? "code,title" : name == "share" ? "first,audience" : "code"
        #expect(await scene.answered("\(line) --json=\(field)").output.contains("\"\(field.prefix { $0 != "," })\":"))
        let unknown = await scene.gateway("\(line) --json=nope --lang en")
        #expect(unknown.status == 64 && unknown.errors.contains("Unknown field 'nope'."), "\(unknown)")
    }

    @Test(arguments: lines + ["person 감독", "search 등대"], [20, 40, 80, 160])
    func `no line is wider than the terminal`(line: String, columns: Int) async {
        for language in ["ko", "en"] {
            let printed = await scene.gateway("\(line) --lang \(language)", columns: columns)
            let tooWide = printed.lines.filter { TextWidth.narrow.columns($0) > columns }
            #expect(tooWide.isEmpty, "\(printed)")
        }
    }

    @Test func `an answer says which charts it rests on, and how to fetch the others`() async {
        let some = await scene.answered("top 2025-03-01..2025-03-10 --calls 4 --lang en")
        #expect(
            some.errors.contains("7 charts are missing. To fetch them: gateway archive fill 2025-03-04..2025-03-10"),
            "\(some)")
        #expect(some.lines[1].contains("based on the charts of 3 of 10 days") && some.output.contains("≥"), "\(some)")
        #expect(
            some.errors.contains(
                " not stored. For their English titles: gateway archive fill 2025-03-01..2025-03-10 --details"
            ))
        let none = await scene.gateway("top 2024-03-01..2024-03-10 --calls 0 --lang en")
        #expect(none.status == 66 && none.output.isEmpty && none.errors.contains("10 charts are missing."), "\(none)")
        let strict = await scene.gateway("records 2025-03-01..2025-03-10 --calls 0 --strict")
        #expect(strict.status == 75, "\(strict)")
        // The longest span of which every chart is known.
        let span = await scene.answered("records 2025-03-01..2025-03-10 --calls 0 --lang en")
        #expect(
            span.lines[0].hasPrefix("2025-03-01 ~ 2025-03-10")
                && span.lines[1] == "based on the longest time without a missing chart: 2025-03-01 ~ 2025-03-03",
            "\(span)")
        let old = await scene.answered("share 2004-03-01..2004-03-02 --by day --lang en")
        #expect(old.output.contains("before 2011 not all cinemas reported"), "\(old)")
    }

    @Test(arguments: [
        ("top", 64, "range"), ("bench --question show", 64, "--question takes a run, top"),
        ("bench --question top", 64, "--question: "), ("top 2025-12 --limit 0", 64, "--limit takes 1 to 100."),
        ("top 2025-12 --by fame", 64, "fame"), ("top 2025-12 --nation unknown", 64, "unknown"),
        ("top 2025-12-05..2025-12-01", 64, "The range ends"), ("share 2002", 64, "No day of this range has a chart."),
        ("compare 20199001", 64, "Give two to six films."),
        ("compare 1 2 3 4 5 6 7", 64, "Give two to six films."),
        ("compare 20199001 20199001", 64, "The same film (20199001) is named twice."),
        ("compare #1 #2 #3 #4 #5 #99 --date 2025-11-16", 66, "has no #99: a chart lists ten films."),
        ("compare #1 99999999 --date 2025-11-16", 66, "99999999"),
        ("person 아무도없음", 66, "No director or actor is called"), ("person ...", 64, "Give a name"),
        ("new tomorrow", 64, "nvalid date or range"), ("brief 2026-01-01", 75, "gateway: "),
    ])
    func `bad input is refused with the reason`(line: String, status: Int32, reason: String) async {
        let printed = await scene.gateway("\(line) --lang en")
        #expect(printed.status == status && printed.output.isEmpty && printed.errors.contains(reason), "\(printed)")
    }

    @Test func `totals stand side by side, and the difference is theirs`() async throws {
        struct Comparison: Decodable {
            struct Film: Decodable { let code: String }
            struct Line: Decodable { let dayOfRelease: Int?, date: String?, totals: [Int?], difference: Int? }
            let films: [Film], lines: [Line], complete: Bool
        }
        let printed = await scene.answered("compare #1 #2 --date 2025-10-20 --calls 300 --json")
        let compared: Comparison = try printed.decoded()
        #expect(compared.complete && compared.films.count == 2)
        for line in compared.lines {
            if let first = line.totals[0], let second = line.totals[1] { #expect(line.difference == first - second) }
        }
        for (index, film) in compared.films.enumerated() {
            let run = await scene.answered(
                "run \(film.code) --date 2025-10-20 --offline --format csv --fields dayOfRelease,audienceTotal")
            for row in run.lines.dropFirst().dropLast() {
                let cells = row.split(separator: ",")
                let line = compared.lines.first { $0.dayOfRelease == Int(cells[0]) }
                #expect(line?.totals[index] == Int(cells[1]), "\(film) \(row)")
            }
        }
    }

    @Test func `a person's films come from the catalogue and the archived details`() async throws {
        let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)
        let day = try #require(Day("2025-11-20"))
        let film = world.ranking(during: day...day).places[0].film
        let detail = film.detail(today: day)
        let director = try #require(detail.directors.first)
        let found = await scene.answered("person", director.name, "--format", "csv", "--fields", "code,isDirector")
        #expect(found.lines.contains("\(film.code),true"), "\(found)")
        let actor = try #require(
            detail.actors.map(\.person).first { person in !detail.directors.contains { $0.name == person.name } })
        await scene.answered("archive fill 2025-11-20 --details --rate off")
        let played = await scene.answered("person", actor.name, "--json")
        #expect(played.output.contains(film.code), "\(played)")
        #expect(try await FormatTests.complaints([played.output], schema: "person") == "")
    }

    @Test func `with the charts that new names no film is undetermined`() async throws {
        let before = await scene.answered("new 2025-05-08..2025-05-14 --lang en")
        let command = try #require(before.errors.firstMatch(of: /are new: gateway (archive fill \S+)/), "\(before)")
        await scene.answered("\(command.1) --rate off")
        let after = await scene.answered("new 2025-05-08..2025-05-14 --lang en")
        #expect(!after.output.contains("undetermined") && !after.errors.contains("are new"), "\(after)")
    }

    @Test func `a film is found by its English title and by another spelling`() async throws {
        let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)
        let day = try #require(Day("2025-06-20"))
        let film = world.ranking(during: day...day).places[1].film
        let english = film.detail(today: day).titleEnglish
        await scene.answered("archive fill 2025-06-20 --details --rate off")
        let named = await scene.answered("movie", english.uppercased().replacing(" ", with: "-"), "--json")
        #expect(named.output.contains("\"code\":\"\(film.code)\""), "\(named)")
        let table = await scene.answered("top 2025-06-20 --format csv --fields", "code,영화명(영문)")
        #expect(table.lines.contains("\(film.code),\(english)"), "\(table)")
        let searched = await scene.answered("search", english, "--lang", "en")
        #expect(searched.output.contains(film.code), "\(searched)")
        #expect(searched.output.contains("in archived charts"), "\(searched)")
        #expect(searched.lines.contains { $0.hasPrefix("code") }, "\(searched)")
        let json = await scene.answered("search", english, "--json")
        #expect(try await FormatTests.complaints([json.output], schema: "search") == "")
    }

    @Test func `a running weekend says how much of it is over, and without a date the last one is meant`() async {
        // Yesterday was Wednesday, 2025-12-31.
        let weekday = await scene.answered("chart --weekdays --lang en")
        #expect(weekday.lines[0].contains("2025-12-22 ~ 2025-12-25"), "\(weekday)")
        let running = await scene.answered("chart 2025-12-31 --weekly --lang en")
        #expect(running.lines[0].contains("3 of 7 days"), "\(running)")
        let last = await scene.answered("chart --weekly --lang en")
        #expect(last.lines[0].contains("2025-12-22 ~ 2025-12-28") && !last.lines[0].contains(" of 7"), "\(last)")
    }

    @Test func `a day in three sentences`() async throws {
        let chart = await scene.answered("chart 2025-11-16 --format csv --fields title,audience")
        let rows = chart.lines.dropFirst().dropLast().map { $0.split(separator: ",") }
        let (first, second) = try (#require(Int(rows[0].last ?? "")), #require(Int(rows[1].last ?? "")))
        let brief = await scene.answered("brief 2025-11-16 --lang en")
        #expect(brief.lines.count == 5 && brief.output.contains((first - second).withSeparators), "\(brief)")
        let korean = await scene.answered("brief 2025-11-16")
        #expect(korean.lines.dropFirst().dropLast().allSatisfy { $0.hasSuffix("니다.") }, "\(korean)")
    }
}
