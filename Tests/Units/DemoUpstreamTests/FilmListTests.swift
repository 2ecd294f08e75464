import Foundation
import Testing

@testable import DemoUpstreamCore

/// `searchMovieList`; the fixed time of these tests is 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(2))) struct FilmListTests {
    private func list(_ client: UpstreamClient, _ criteria: [String: String]) async throws -> Wire.FilmList.Result {
        try await client.films(criteria).decoded(Wire.FilmList.self).movieListResult
    }

    @Test func `a part of a title finds every film that has it, and their details agree`() async throws {
        try await UpstreamClient.withUpstream { client in
            let result = try await list(client, ["movieNm": "등대", "itemPerPage": "100"])
            #expect(result.totCnt > 1 && result.movieList.count == min(100, result.totCnt))
            #expect(result.movieList.allSatisfy { $0.movieNm.contains("등대") })
            for film in result.movieList.prefix(3) {
                let detail = try await client.detail(film.movieCd).decoded(Wire.Detail.self).film
                #expect(detail.movieNm == film.movieNm && detail.openDt == film.openDt)
                #expect(detail.prdtYear == film.prdtYear && detail.prdtStatNm == film.prdtStatNm)
                #expect(detail.directors.map { $0["peopleNm"] } == film.directors.map { $0["peopleNm"] })
                #expect(detail.genres.map { $0["genreNm"] ?? "" }.joined(separator: ",") == film.genreAlt)
            }
        }
    }

    @Test func `pages are consecutive and end`() async throws {
        try await UpstreamClient.withUpstream { client in
            let all = try await list(client, ["movieNm": "등대", "itemPerPage": "100"])
            var codes: [String] = []
            for page in 1...3 {
                let part = try await list(client, ["movieNm": "등대", "itemPerPage": "7", "curPage": "\(page)"])
                #expect(part.totCnt == all.totCnt)
                codes += part.movieList.map(\.movieCd)
            }
            #expect(codes == Array(all.movieList.map(\.movieCd).prefix(21)) && Set(codes).count == 21)
            #expect(try await list(client, ["movieNm": "등대", "curPage": "1000"]).movieList.isEmpty)
            #expect(try await list(client, [:]).movieList.count == 10)
        }
    }

    @Test func `years and a director narrow what is found`() async throws {
        try await UpstreamClient.withUpstream { client in
            let opened = try await list(
                client, ["movieNm": "등대", "openStartDt": "2019", "openEndDt": "2020", "itemPerPage": "100"])
            #expect(!opened.movieList.isEmpty)
            #expect(opened.movieList.allSatisfy { ["2019", "2020"].contains($0.openDt.prefix(4)) })
            let made = try await list(client, ["movieNm": "등대", "prdtStartYear": "2019", "prdtEndYear": "2019"])
            #expect(!made.movieList.isEmpty && made.movieList.allSatisfy { $0.prdtYear == "2019" })
            let names = opened.movieList.flatMap { $0.directors.compactMap { $0["peopleNm"] } }
            let name = try #require(names.first)
            let directed = try await list(client, ["movieNm": "등대", "directorNm": name, "itemPerPage": "100"])
            #expect(directed.totCnt > 0)
            #expect(directed.movieList.allSatisfy { $0.directors.contains { $0["peopleNm"] == name } })
            #expect(try await list(client, ["movieNm": "등대", "directorNm": "nobody"]).totCnt == 0)
        }
    }

    @Test func `an invalid key is refused`() async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.films(["movieNm": "등대"], key: "short") }
        #expect(try reply.status == 200 && reply.decoded(Wire.Fault.self).faultInfo.errorCode == "320010")
    }
}
