import Domain
import Kobis
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct KobisFilmTests {
    @Test func `a film is one GET with the key and its code`() async throws {
        let transport = try RecordingTransport(fixture: "film-20249001.json")
        _ = try await kobis(transport).film(code: " 20249001\n", deadline: anyDeadline)
        #expect(
            await transport.requests.map(\.url) == [
                "http://kobis.example/rest/movie/searchMovieInfo.json?key=\(sampleKey)&movieCd=20249001"
            ])
    }

    @Test func `a full record becomes a film, without staff and blanks`() async throws {
        let film = try await film("20249001")
        #expect(
            film
                == FilmDetail(
                    code: "20249001", title: "등대지기의 겨울", titleEnglish: "The Keeper’s Winter", titleOriginal: nil,
                    runningMinutes: 119, productionYear: 2022, openingDay: Day("2024-03-06"), status: "개봉",
                    type: "장편", nations: ["한국", "아이슬란드"], genres: ["드라마", "미스터리"],
                    directors: [
                        Person(name: "한가람", nameEnglish: "HAN Garam"), Person(name: "오누리", nameEnglish: nil),
                    ],
                    actors: [
                        CastMember(name: "도하늘", nameEnglish: "DO Haneul", role: "등대지기"),
                        CastMember(name: "류다온", nameEnglish: nil, role: nil),
                        CastMember(name: "Sigrun Jonsdottir", nameEnglish: "Sigrun Jonsdottir", role: nil),
                    ],
                    showTypes: ["2D 디지털", "IMAX", "필름 청각장애인용 자막"],
                    companies: [
                        Company(name: "(주)물결", part: "배급사"), Company(name: "(주)물결", part: "제작사"),
                    ],
                    ratings: [
                        Rating(number: "84-5", grade: "연소자관람가"),
                        Rating(number: "2024-MF01600", grade: "15세이상관람가"),
                        Rating(number: "2024-MF01700", grade: ""),
                    ]))
        #expect(film.currentGrade == "15세이상관람가")
    }

    @Test func `a record of little more than a title is a film`() async throws {
        #expect(
            try await film("20249011")
                == FilmDetail(code: "20249011", title: "어느 저녁", productionYear: 2021, status: "기타", type: "단편"))
    }

    @Test(arguments: [
        #"{"movieCd":"1","movieNm":"제목"}"#,
        #"{"movieCd":1,"movieNm":"제목","showTm":null,"actors":null,"audits":[{}],"directors":[{"peopleNm":null}]}"#,
        #"{"movieCd":"1 ","movieNm":" 제목","showTm":"?","prdtYear":" ","openDt":" ","nations":[{"nationNm":" "}]}"#,
    ])
    func `missing, null, blank and odd optional members are unknown`(record: String) async throws {
        let transport = RecordingTransport(#"{"movieInfoResult":{"movieInfo":\#(record)}}"#)
        #expect(try await kobis(transport).film(code: "1", deadline: anyDeadline) == FilmDetail(code: "1", title: "제목"))
    }

    @Test(arguments: [
        ("2007", nil, "2007"), ("200705", nil, "2007-05"), ("2007-05", nil, "2007-05"), ("20070500", nil, "2007-05"),
        ("20070000", nil, "2007"), ("20070503", Day("2007-05-03"), "2007-05-03"), ("200713", nil, nil),
        ("0000", nil, nil), ("２００７", nil, nil), ("2007년", nil, nil), ("20070231", nil, nil),
    ])
    func `an opening without a day has a year or a month`(text: String, day: Day?, opening: String?) async throws {
        let record = #"{"movieCd":"1","movieNm":"제목","openDt":"\#(text)"}"#
        let answer = RecordingTransport(#"{"movieInfoResult":{"movieInfo":\#(record)}}"#)
        let film = try await kobis(answer).film(code: "1", deadline: anyDeadline)
        #expect(film.openingDay == day && film.opening == opening && film.openingText == (day == nil ? opening : nil))
        let list = RecordingTransport(#"{"movieListResult":{"totCnt":1,"movieList":[\#(record)]}}"#)
        let page = try await kobis(list).films(FilmSearch(title: "제목"), deadline: anyDeadline)
        #expect(page.films.map(\.opening) == [opening])
    }

    @Test(arguments: [
        #"{"result":"ok"}"#, #"{"error":{"code":1}}"#, #"{"movieListResult":{"totCnt":0,"movieList":[]}}"#,
    ])
    func `an answer of another form is not reported as an unknown film`(body: String) async throws {
        let error = try await upstreamError {
            try await kobis(RecordingTransport(body)).film(code: "20249001", deadline: anyDeadline)
        }
        #expect(error?.code == .malformed && error?.message == "KOBIS answered without movieInfoResult.")
    }

    @Test(arguments: [
        #"{"faultInfo":{"message":"없음","errorCode":"320999"}}"#, #"{"faultInfo":{"message":"없음"}}"#,
        #"{"movieInfoResult":{"source":"영화진흥위원회"}}"#, #"{"movieInfoResult":{"movieInfo":null}}"#, "{}",
        #"{"movieInfoResult":null}"#, #"{"movieInfoResult":{"movieInfo":{}}}"#,
        #"{"movieInfoResult":{"movieInfo":{"movieCd":"","movieNm":"","showTm":"","nations":[],"actors":[]}}}"#,
    ])
    func `each form of answer for an unknown film is not found`(body: String) async throws {
        let transport = RecordingTransport(body)
        let error = try await failure(of: transport)
        #expect(error?.code == .notFound)
        #expect(error?.message == "KOBIS knows no film with the code \"1\".")
        #expect(error?.isRetryable == false)
        #expect(await transport.requests.count == 1)
    }

    @Test(arguments: [
        (#"{"movieCd":"1"}"#, "movieInfoResult.movieInfo.movieNm"),
        (#"{"movieNm":"제목"}"#, "movieInfoResult.movieInfo.movieCd"),
        (#"{"movieCd":"1","movieNm":"제목","actors":[{},7]}"#, "movieInfoResult.movieInfo.actors[1]"),
        (#"{"movieCd":"1","movieNm":"제목","genres":"드라마"}"#, "movieInfoResult.movieInfo.genres"),
        (#"[]"#, "movieInfoResult.movieInfo:"),
    ])
    func `a record of another form is malformed, and its place is named`(record: String, path: String) async throws {
        let error = try await failure(of: RecordingTransport(#"{"movieInfoResult":{"movieInfo":\#(record)}}"#))
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(path) == true, "\(error as Any)")
    }

    @Test func `the record of another film is rejected`() async throws {
        let error = try await failure(
            of: RecordingTransport(#"{"movieInfoResult":{"movieInfo":{"movieCd":"2","movieNm":"제목"}}}"#))
        #expect(error?.code == .malformed)
    }

    @Test(arguments: ["", " \n"])
    func `a request that cannot be built is an error, and no call`(code: String) async throws {
        let transport = RecordingTransport("{}")
        let error = try await upstreamError { try await kobis(transport).film(code: code, deadline: anyDeadline) }
        #expect(error?.code == .requestRefused)
        #expect(await transport.requests.isEmpty)
    }

    @Test func `a code cannot add parameters to the request`() async throws {
        let transport = RecordingTransport("{}")
        _ = try await upstreamError { try await kobis(transport).film(code: "1&a=b#c 가", deadline: anyDeadline) }
        let request = try #require(await transport.requests.first)
        #expect(request.url.hasSuffix("&movieCd=1%26a%3Db%23c%20%EA%B0%80"))
    }

    private func film(_ code: String) async throws -> FilmDetail {
        try await kobis(RecordingTransport(fixture: "film-\(code).json")).film(code: code, deadline: anyDeadline)
    }

    private func failure(of transport: RecordingTransport) async throws -> UpstreamError? {
        try await upstreamError { try await kobis(transport).film(code: "1", deadline: anyDeadline) }
    }
}
