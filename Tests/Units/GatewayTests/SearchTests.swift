import Assembly
import Domain
import Envelope
import Foundation
import Localization
import Records
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

/// A page of the catalogue as text, records and JSON.
@Suite struct SearchTests {
    private static let films = [
        FilmSummary(
            code: "20199882", title: "등대", titleEnglish: "Lighthouse", productionYear: 2021, openingDay: Samples.date,
            type: "장편", status: "개봉", nations: ["한국"], genres: ["범죄", "드라마"],
            directors: [Person(name: "이규만", nameEnglish: nil)], companies: ["a", "b"]),
        FilmSummary(code: "2023C632", title: "유리로 만든 등대\u{1B}[2J", productionYear: 1999),
    ]

    private func outcome(_ page: FilmPage) throws -> PartOutcome { Samples.ok(try JSONBytes.encode(page)) }

    private func answer(
        _ page: FilmPage, _ search: FilmSearch = FilmSearch(title: "등대"),
        _ presentation: Presentation = Samples.presentation()
    ) throws -> Answer {
        try presentation.search(outcome(page), search)
    }

    @Test func `a page has one line per film below the search terms`() throws {
        let answer = try answer(FilmPage(total: 2, films: Self.films))
        #expect(answer.exitStatus == 0 && answer.notes.isEmpty)
        #expect(
            answer.lines == [
                "'등대'  KOBIS 목록  2편 가운데 1~2", "",
                "코드      제목                       개봉         감독    장르          국적",
                "20199882  등대                       2022-01-05   이규만  범죄, 드라마  한국",
                "2023C632  유리로 만든 등대\\u{1B}[2J  (1999 제작)  -       -             -", "",
            ])
    }

    @Test(
        arguments: [
            (
                FilmSearch(title: "등대", page: 2, pageSize: 20), 1204,
                "'등대'  KOBIS 목록  1,204편 가운데 21~40  성인 영화 18편 제외 (--adult)  다음: --page 3"
            ),
            (
                FilmSearch(director: "봉준호", productionYears: 2019...2019, openingYears: 2000...2019), 2,
                "감독 봉준호, 개봉 2000-2019, 제작 2019  KOBIS 목록  2편 가운데 1~2"
            ),
        ] as [(FilmSearch, FilmCount, String)])
    func `the heading states the search terms and the page position`(search: FilmSearch, total: FilmCount, line: String)
        throws
    {
        #expect(try answer(FilmPage(total: total, films: Self.films), search).lines[0] == line)
    }

    @Test(
        arguments: [
            (0, 1, "gateway: 'x': There is no such film. Try a part of the title."),
            (5, 2, "gateway: There is no page 2; the last one is 1."),
            (5, 1, "gateway: All of these are adult films. Add --adult to see them."),
        ] as [(FilmCount, PageNumber, String)])
    func `a page without films states the reason and exits with 66`(
        total: FilmCount, page: PageNumber, note: String
    ) throws {
        for format in [AnswerFormat.text, .json, .records(.csv, nil)] {
            var presentation = Samples.presentation(language: .en)
            presentation.format = format
            let answer = try answer(
                FilmPage(total: total, films: []), FilmSearch(title: "x", page: page), presentation)
            #expect(answer.exitStatus == 66 && answer.notes == [note])
            #expect(answer.output.isEmpty == (format == .text))
        }
    }

    @Test(arguments: [10, 24, 40, 60, 80], [false, true])
    func `a narrow terminal drops columns, the title last`(columns: Int, isWide: Bool) throws {
        let width = TextWidth(isAmbiguousWide: isWide)
        let text = SearchText(language: .ko, style: Samples.plain, width: width, columns: columns)
        let lines = text.lines(Self.films)
        #expect(lines.count == 3 && lines.allSatisfy { width.columns($0) <= columns })
        #expect(lines[1].contains("등"))
    }

    @Test func `a failure is the whole answer`() throws {
        let answer = try Samples.presentation().search(.failed(Samples.timeout), FilmSearch(title: "x"))
        #expect(answer.exitStatus == 75 && answer.output.isEmpty && answer.notes.count == 1)
        let json = try Samples.presentation(isJSON: true).search(.failed(Samples.timeout), FilmSearch(title: "x"))
        #expect(
            json.lines[0].hasPrefix(
                #"{"title":"x","director":null,"opened":null,"produced":null,"adult":false,"page":1,"limit":100,"complete":false,"source":null,"search":{"cache":null,"#
            ))
    }

    @Test func `records have every field`() throws {
        var presentation = Samples.presentation()
        presentation.format = .records(.ndjson, ["code", "titleEnglish", "openingDay", "genres", "companies"])
        #expect(
            try answer(FilmPage(total: 2, films: Self.films), FilmSearch(title: "등대"), presentation).lines == [
                #"{"code":"20199882","titleEnglish":"Lighthouse","openingDay":"2022-01-05","genres":["범죄","드라마"],"companies":["a","b"]}"#,
                #"{"code":"2023C632","titleEnglish":null,"openingDay":null,"genres":[],"companies":[]}"#, "",
            ])
    }
}
