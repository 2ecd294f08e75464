import Domain
import Kobis
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct KobisFilmSearchTests {
    private static let winter = FilmSummary(
        code: "20249001", title: "등대지기의 겨울", titleEnglish: "The Keeper’s Winter", productionYear: 2022,
        openingDay: Day("2024-03-06"), type: "장편", status: "개봉", nations: ["한국", "아이슬란드"],
        genres: ["드라마", "미스터리"],
        directors: [Person(name: "한가람", nameEnglish: nil), Person(name: "오누리", nameEnglish: nil)],
        companies: ["(주)물결"])
    private static let short = FilmSummary(code: "2024A002", title: "등대", type: "단편", status: "기타")

    @Test func `a search is one GET with its criteria`() async throws {
        let search = FilmSearch(
            title: " 등대", director: "한가람", productionYears: 2020...2022, openingYears: 2024...2024, page: 3,
            pageSize: 50)
        #expect(
            try await query(of: search)
                == "movieNm=%EB%93%B1%EB%8C%80&directorNm=%ED%95%9C%EA%B0%80%EB%9E%8C&prdtStartYear=2020&prdtEndYear=2022"
                + "&openStartDt=2024&openEndDt=2024&curPage=3&itemPerPage=50")
    }

    @Test func `missing and blank criteria are not sent`() async throws {
        #expect(try await query(of: FilmSearch(title: " ")) == "curPage=1&itemPerPage=100")
    }

    @Test func `hits become films, lists in one text become lists, blanks become unknown`() async throws {
        let page = try await kobis(RecordingTransport(fixture: "films-sea.json"))
            .films(FilmSearch(title: "등대"), deadline: anyDeadline)
        #expect(page == FilmPage(total: 1204, films: [Self.winter, Self.short]))
    }

    @Test func `adult films are left out unless requested`() async throws {
        let page = try await kobis(RecordingTransport(fixture: "films-sea.json"))
            .films(FilmSearch(title: "등대", includesAdultFilms: true), deadline: anyDeadline)
        #expect(page.films.map(\.code) == ["20249001", "2024A002", "20249003"])
        #expect(page.films.map(\.isAdult) == [false, false, true])
    }

    @Test(arguments: [("성인물(에로)", "드라마"), ("드라마", "성인물"), ("", "성인물(에로)")])
    func `an adult film is known by any of its genres`(all: String, first: String) async throws {
        let body =
            #"{"movieListResult":{"totCnt":1,"movieList":[{"movieCd":"1","movieNm":"제목","genreAlt":"\#(all)","repGenreNm":"\#(first)"}]}}"#
        #expect(try await page(of: body).films == [])
    }

    @Test(arguments: [#"0"#, #""0""#]) func `no hit is an answer, and the count may be a number or a text`(
        count: String
    ) async throws {
        let page = try await page(of: #"{"movieListResult":{"totCnt":\#(count),"movieList":[]}}"#)
        #expect(page == FilmPage(total: 0, films: []))
    }

    @Test(arguments: [
        (#"{}"#, "movieListResult"),
        (#"{"movieListResult":{"totCnt":1}}"#, "movieListResult.movieList"),
        (#"{"movieListResult":{"movieList":[]}}"#, "movieListResult.totCnt"),
        (#"{"movieListResult":{"totCnt":1,"movieList":[{"movieNm":"제목"}]}}"#, "movieListResult.movieList[0].movieCd"),
        (#"{"movieListResult":{"totCnt":1,"movieList":[{"movieCd":"1"}]}}"#, "movieListResult.movieList[0].movieNm"),
    ])
    func `a body of another form is malformed, and its place is named`(body: String, path: String) async throws {
        let error = try await upstreamError { try await page(of: body) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(path) == true, "\(error as Any)")
    }

    /// The part of the request URL after the key.
    private func query(of search: FilmSearch) async throws -> String {
        let transport = try RecordingTransport(fixture: "films-sea.json")
        _ = try await kobis(transport).films(search, deadline: anyDeadline)
        let requests = await transport.requests
        let start = "http://kobis.example/rest/movie/searchMovieList.json?key=\(sampleKey)&"
        let url = try #require(requests.count == 1 ? requests.first?.url : nil)
        try #require(url.hasPrefix(start))
        return String(url.dropFirst(start.count))
    }

    private func page(of body: String) async throws -> FilmPage {
        try await kobis(RecordingTransport(body)).films(FilmSearch(), deadline: anyDeadline)
    }
}
