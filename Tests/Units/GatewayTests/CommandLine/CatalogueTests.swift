import Domain
import TestSupport
import Testing

@testable import DemoUpstreamCore

/// `gateway search`, and titles that are in no stored chart.
@Suite(.timeLimit(.minutes(1)), .scene()) struct CatalogueTests {
    private struct Found: Decodable {
        struct Part: Decodable {
            struct Page: Decodable {
                struct Film: Decodable {
                    let code: String
                    let title: String
                }

                let total: Int
                let films: [Film]
            }

            let status: String
            let value: Page?
        }

        let page: Int
        let search: Part
    }

    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test func `the fields of a command are listed`() async {
        let fields = await scene.gateway("chart 2019-03-15 --fields help")
        #expect(
            fields.status == 0
                && fields.lines.prefix(2).map { $0.split(separator: " ") } == [["date", "날짜"], ["rank", "순위"]],
            "\(fields)")
        let all = await scene.gateway("chart 2019-03 --json=help")
        #expect(all.status == 0 && all.lines.contains { $0.hasPrefix("state ") }, "\(all)")
    }

    @Test func `a search costs one upstream call and is then stored`() async throws {
        let calls = try await scene.upstream.calls {
            for _ in 0..<2 {
                let found: Found = try await scene.gateway("search 영수증 --limit 5 --json").decoded()
                let films = try #require(found.search.value?.films)
                #expect(found.search.status == "ok" && films.count == 5)
                #expect(films.allSatisfy { $0.title.contains("영수증") })
            }
            let offline = await scene.answered("search 영수증 --limit 5 --offline")
            #expect(offline.lines[0].hasPrefix("'영수증'  "))
        }
        #expect(calls == [UpstreamSwitches.searchPath: 1])
    }

    @Test func `the criteria reach the upstream`() async throws {
        let all: Found = try await scene.gateway("search 영수증 --json").decoded()
        let many = try #require(all.search.value?.total)
        for criterion in ["--opened 2015-2018", "--produced 2015-2018", "--director 예시"] {
            let some: Found = try await scene.gateway("search 영수증 --limit 100 --json \(criterion)").decoded()
            #expect(some.search.value.map { 0 < $0.total && $0.total < many } == true, "\(criterion): \(some)")
        }
        let recorded: Found = try await scene.gateway("search 지도 --director 하시험 --produced 1997 --json").decoded()
        #expect(recorded.search.value?.films.map(\.code) == ["19980315"])
        let second: Found = try await scene.gateway("search 영수증 --page 2 --json").decoded()
        #expect(second.page == 2 && second.search.value?.films.first?.code != all.search.value?.films.first?.code)
    }

    @Test func `a title that is in no chart is searched for in the catalogue`() async throws {
        let found: Found = try await scene.gateway("search --limit 1 --json", "그리고 영수증").decoded()
        let film = try #require(found.search.value?.films.first)
        // An exact title takes precedence over titles that contain it.
        let answer = await scene.gateway("movie", film.title)
        let isMeant = answer.status == 0 && answer.lines[0].hasPrefix(film.title)
        #expect(isMeant || answer.errors.contains("  \(film.code)  "), "\(answer)")
        let none = await scene.gateway("movie --lang en", "없는 영화 이름")
        #expect(
            none.status == 66
                && none.errors
                    == "gateway: No film matches '없는 영화 이름' in the cached charts, the archive or the KOBIS catalogue. Use part of the title or the KOBIS code. To include adult films: gateway search --adult TITLE.\n"
        )
    }

    @Test func `a title of the catalogue is found by another spelling`() async throws {
        let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)
        let day = try #require(Day(iso: "2008-06-20"))
        let titled = world.ranking(during: day...day).places.map { ($0.film.code, $0.film.detail(today: day).title) }
        let (code, title) = try #require(titled.first { $0.1.contains(": ") })
        for spelling in [title.replacing(": ", with: "-"), title.replacing(":", with: "：")] {
            let answer = await scene.gateway("movie", spelling)
            let isMeant = answer.status == 0 && answer.lines[0].contains(code)
            #expect(isMeant || answer.errors.contains("  \(code)  "), "\(spelling): \(answer)")
        }
    }

    @Test func `a search without hits ends with 66, a failing one with its failure's code`() async throws {
        let none = await scene.gateway("search 이런제목은없다")
        #expect(none.status == 66 && none.output.isEmpty && none.errors.contains("제목의 일부만"), "\(none)")
        try await scene.upstream.withFault("key", path: "searchMovieList") {
            let failed = await scene.gateway("search 열쇠 --lang en")
            #expect(failed.status == 77 && failed.errors.contains("key"), "\(failed)")
        }
    }

    @Test(arguments: [
        ("search", "Give part of a title, or use --director."), ("search x --limit 0", "--limit takes 1 to 100."),
        ("search x --page 0", "--page takes 1"), ("search x --opened 19", "'19'"),
        ("search x --opened 2020-2019", "2020-2019"), ("search x --json=name", "Unknown field 'name'."),
    ])
    func `an impossible search is refused without an upstream call`(line: String, reason: String) async throws {
        let calls = try await scene.upstream.calls {
            let printed = await scene.gateway("\(line) --lang en")
            #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.contains(reason), "\(printed)")
        }
        #expect(calls.isEmpty)
    }
}
