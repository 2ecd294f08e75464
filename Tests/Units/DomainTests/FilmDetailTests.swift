import Domain
import Foundation
import Testing

@Suite struct FilmDetailTests {
    @Test(
        arguments: [
            ([], nil), (["연소자관람가", "전체관람가"], "전체관람가"), (["15세이상관람가", ""], "15세이상관람가"), ([""], nil),
        ] as [([String], String?)])
    func `the grade in force is the last nonempty one`(grades: [String], current: String?) {
        let film = FilmDetail(
            code: "1", title: "제목", ratings: grades.map { Rating(number: nil, grade: $0) })
        #expect(film.currentGrade == current)
    }

    @Test func `in JSON unknown values are null, and lists are empty`() throws {
        let film = FilmDetail(code: "20212974", title: "어느 하루")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = try encoder.encode(film)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"actors":[],"code":"20212974","companies":[],"directors":[],"genres":[],"nations":[],\
                "openingDay":null,"openingText":null,"productionYear":null,"ratings":[],"runningMinutes":null,\
                "showTypes":[],"status":null,"title":"어느 하루","titleEnglish":null,"titleOriginal":null,"type":null}
                """)
        #expect(try JSONDecoder().decode(FilmDetail.self, from: bytes) == film)
    }

    @Test func `a full record reads back from JSON`() throws {
        let film = FilmDetail(
            code: "20199882", title: "경관의 피", titleEnglish: "The Policeman’s Lineage", titleOriginal: "원제",
            runningMinutes: 119, productionYear: 2020, openingDay: Day("2022-01-05"), status: "개봉", type: "장편",
            nations: ["한국"], genres: ["범죄", "드라마"], directors: [Person(name: "이규만", nameEnglish: nil)],
            actors: [CastMember(name: "배우", nameEnglish: "Actor", role: "강윤")], showTypes: ["2D 디지털"],
            companies: [Company(name: "회사", part: "배급사")], ratings: [Rating(number: "1", grade: "15세이상관람가")])
        let decoded = try JSONDecoder().decode(FilmDetail.self, from: JSONEncoder().encode(film))
        #expect(decoded == film)
        #expect(decoded.openingDay?.iso == "2022-01-05")
    }
}
