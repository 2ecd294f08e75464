import Assembly
import Domain
import Envelope
import Foundation
import Localization
import ProcessKit
import Records
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

extension RecordFormat {
    /// Values of the tests have no line ends beside those that are quoted.
    func lines<Row>(_ rows: [Row], _ fields: [RecordField<Row>], isRaw: Bool = false) -> [String] {
        let text = String(decoding: bytes(rows, fields, TableStyle(isRaw: isRaw)), as: UTF8.self)
        return text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

@Suite struct RecordFormatTests {
    private static let fields: [RecordField<Int>] = [
        RecordField("a") { .integer(Int64($0)) }, RecordField("b") { _ in .text("x, \"y\"\n\tz\\") },
        RecordField("c") { _ in .list(["가", "나, 다"]) }, RecordField("d") { _ in .missing },
        RecordField("e") { _ in .decimal(34.2) }, RecordField("f") { _ in .flag(false) },
    ]

    @Test func `values with separators are quoted in CSV`() {
        #expect(
            String(decoding: RecordFormat.csv.bytes([1, -2], Self.fields), as: UTF8.self) == """
                a,b,c,d,e,f
                1,"x, ""y""
                \tz\\","가; 나, 다",,34.2,false
                -2,"x, ""y""
                \tz\\","가; 나, 다",,34.2,false

                """)
    }

    @Test func `Excel reads a mark and its own line ends, and a head can be left out`() {
        let fields = [RecordField<Int>("a") { .integer(Int64($0)) }, RecordField<Int>("b") { _ in .text("가") }]
        let excel = TableStyle(excel: .ko)
        #expect(RecordFormat.csv.bytes([1], fields, excel) == Array("\u{FEFF}a,b\r\n1,가\r\n".utf8))
        #expect(RecordFormat.csv.bytes([2], fields, excel, isStart: false) == Array("2,가\r\n".utf8))
        let plain = TableStyle(hasHead: false)
        #expect(RecordFormat.csv.bytes([1], fields, plain) == Array("1,가\n".utf8))
        #expect(RecordFormat.tsv.bytes([1], fields, plain) == Array("1\t가\n".utf8))
    }

    @Test func `Excel has the headings and the words of its reader`() {
        let fields = [
            RecordField<Int>("rank") { .integer(Int64($0)) }, RecordField<Int>("movement") { _ in .text("up 3") },
            RecordField<Int>("state") { _ in .text("settled") }, RecordField<Int>("title") { _ in .text("new") },
            RecordField<Int>("genres") { _ in .list(["드라마", "SF"]) }, RecordField<Int>("area") { _ in .text("busan") },
            RecordField<Int>("reentry") { _ in .flag(true) },
            RecordField<Int>("directors") { _ in .names([LocalizedText(ko: "봉준호", en: "BONG Joon-ho")]) },
        ]
        func lines(_ language: Language) -> String {
            String(decoding: RecordFormat.csv.bytes([1], fields, TableStyle(excel: language)), as: UTF8.self)
        }
        #expect(lines(.ko) == "\u{FEFF}순위,변동,수치 상태,영화명,장르,지역,재진입,감독\r\n1,▲ 3,확정,new,드라마; SF,부산시,예,봉준호\r\n")
        #expect(
            lines(.en)
                == "\u{FEFF}Rank,Change of rank,State of the figures,Title,Genres,Region,Re-entry,Directors\r\n1,▲ 3,settled,new,Drama; Science fiction,Busan,yes,BONG Joon-ho\r\n"
        )
        // The values of the JSON are the same in both languages.
        let plain = String(decoding: RecordFormat.csv.bytes([1], fields), as: UTF8.self)
        #expect(plain.hasSuffix(",봉준호\n"), "\(plain)")
        #expect(String(decoding: RecordFormat.object(1, fields), as: UTF8.self).hasSuffix("\"directors\":[\"봉준호\"]}"))
        let names =
            FilmRecord.allFields.map(\.name) + FilmRecord.chartFields.map(\.name) + FilmRecord.movieFields.map(\.name)
            + RankedGain.fields.map(\.name) + ComparedDay.fields.map(\.name) + PersonFilm.fields.map(\.name)
            + Presentation.recordFields.map(\.name) + Presentation.shareFields.map(\.name)
            + Presentation.newFields.map(\.name) + Presentation.briefFields.map(\.name)
        #expect(names.filter { SpreadsheetWords.heading($0) == nil } == [])
    }

    @Test func `a field is named as in JSON or by its heading, and once`() throws {
        let names = ["rank", "관객수", "English Title"]
        #expect(try FilmRecord.chartFields.chosen(names).map(\.name) == ["rank", "audience", "titleEnglish"])
        for twice in [["rank", "rank"], ["audience", "관객수"], ["admissions", "Admissions"]] {
            let error = #expect(throws: StartupError.self) { try FilmRecord.chartFields.chosen(twice) }
            #expect(error?.description.contains("named twice") == true)
        }
    }

    @Test func `tabs and line ends are escaped in TSV, so that a line is a record`() {
        #expect(
            RecordFormat.tsv.lines([1], Self.fields) == [
                "a\tb\tc\td\te\tf", "1\tx, \"y\"\\n\\tz\\\\\t가; 나, 다\t\t34.2\tfalse",
            ])
    }

    @Test func `a line of NDJSON is an object; lists stay lists and missing values are null`() {
        #expect(
            RecordFormat.ndjson.lines([1], Self.fields) == [
                #"{"a":1,"b":"x, \"y\"\n\tz\\","c":["가","나, 다"],"d":null,"e":34.2,"f":false}"#
            ])
    }

    @Test(arguments: [RecordFormat.csv, .tsv]) func `terminal control characters are escaped`(
        format: RecordFormat
    ) {
        let fields = [
            RecordField<Int>("a") { _ in .text("x\u{1B}[2J\u{9B}y") }, RecordField<Int>("b") { _ in .list(["\u{7}"]) },
        ]
        let lines = format.lines([1], fields)
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\t" })
        #expect(lines.last?.contains("x") == true && lines.last?.contains("y") == true)
    }

    @Test(arguments: ["=1+1", "+82", "-1", "@SUM(A1)"], [RecordFormat.csv, .tsv])
    func `a text that a spreadsheet would run gets an apostrophe, except in raw output`(
        text: String, format: RecordFormat
    ) {
        let fields = [
            RecordField<Int>("a") { _ in .text(text) }, RecordField<Int>("b") { _ in .list([text, "x"]) },
            RecordField<Int>("c") { .integer(Int64($0)) },
        ]
        let separator = format == .csv ? "," : "\t"
        #expect(format.lines([-1], fields)[1] == ["'\(text)", "'\(text); x", "-1"].joined(separator: separator))
        #expect(format.lines([-1], fields, isRaw: true)[1] == [text, "\(text); x", "-1"].joined(separator: separator))
        #expect(format.lines([-1], [RecordField<Int>("a") { _ in .text("\tx") }])[1].contains("'"))
    }

    @Test func `JSON on a terminal cannot control it and keeps its values`() throws {
        let text = "x\u{7F}\u{9B}2J\u{80}\u{A0}가"
        // Another program may have stored such values.
        let answer = Answer(output: Array(#"{"a":"\#(text)"}"#.utf8))
        var presentation = presentation(.json)
        #expect(presentation.sanitized(answer).output == answer.output)
        presentation.isOnTerminal = true
        let output = presentation.sanitized(answer).output
        #expect(String(decoding: output, as: UTF8.self) == #"{"a":"x\u007f\u009b2J\u0080\#u{A0}가"}"# + "\n")
        #expect(try JSONBytes.decode([String: String].self, from: output) == ["a": text])
    }

    private func presentation(_ format: AnswerFormat) -> Presentation {
        var presentation = Samples.presentation()
        presentation.format = format
        return presentation
    }

    private func assembly(poster: PartOutcome?) throws -> ShowAssembly {
        var assembly = ShowAssembly(
            .daily(Samples.date), chart: Samples.ok(try Samples.chart("경관의 피")), codes: ["20199880"])
        assembly.receive(try Samples.okFilm(), for: .detail(0))
        if let poster { assembly.receive(poster, for: .poster(0)) }
        return assembly
    }

    @Test func `a show has one record per film, with all its parts`() throws {
        let answer = try presentation(.records(.ndjson, nil)).show(
            assembly(poster: Samples.ok(Samples.poster())))
        let record = try #require(
            JSONSerialization.jsonObject(with: Data(answer.output)) as? [String: Any])
        #expect(record.count == FilmRecord.showFields.count)
        #expect(record["date"] as? String == "2022-01-05" && record["rank"] as? Int == 1)
        #expect(record["movement"] as? String == "same" && record["reentry"] as? Bool == false)
        #expect(record["audience"] as? Int == 64_050 && record["salesShare"] as? Double == 0)
        #expect(record["directors"] as? [String] == ["이규만", "김감독"] && record["grade"] as? String == "15세이상관람가")
        #expect(record["posterStatus"] as? String == "ok" && record["posterWidth"] as? Int == 700)
        #expect(record["titleEnglish"] is NSNull)
    }

    @Test func `a part that did not arrive has empty values and a status`() throws {
        for (poster, status) in [(nil, "timeout"), (PartOutcome.failed(Samples.timeout), "timeout")]
            as [(PartOutcome?, String)]
        {
            let answer = try presentation(.records(.csv, ["title", "posterStatus", "posterURL"])).show(
                assembly(poster: poster))
            #expect(answer.lines == ["title,posterStatus,posterURL", "경관의 피,\(status),", ""])
        }
    }

    @Test func `selected fields are in JSON in the requested order`() throws {
        let chart = Samples.ok(try Samples.chart("a", "b"))
        let answer = try presentation(.fields(["title", "rank"])).chart(chart, .daily(Samples.date))
        #expect(
            answer.lines == [
                #"{"targetDate":"2022-01-05","complete":true,"source":"upstream","films":[{"title":"a","rank":1},{"title":"b","rank":2}]}"#,
                "",
            ])
        let movie = try presentation(.fields(["runningMinutes"])).movie(Samples.okFilm(), code: "20199882")
        #expect(
            movie.lines[0]
                == #"{"code":"20199882","complete":true,"source":"upstream","films":[{"runningMinutes":119}]}"#)
        let poster = try presentation(.fields(["posterSite", "code"])).poster(
            Samples.ok(Samples.poster()), of: .title("x"))
        #expect(
            poster.lines[0]
                == #"{"title":"x","complete":true,"source":"upstream","films":[{"posterSite":"네이버블로그","code":null}]}"#)
    }

    @Test func `a failed answer has no records, and its own exit code`() throws {
        let failed = PartOutcome.failed(Samples.timeout)
        for form in RecordFormat.allCases {
            let answer = try presentation(.records(form, nil)).chart(failed, .daily(Samples.date))
            #expect(answer.output.isEmpty && answer.exitStatus == 75 && !answer.notes.isEmpty)
        }
        let json = try presentation(.fields(["rank"])).show(
            ShowAssembly(.daily(Samples.date), chart: failed, codes: []))
        #expect(
            json.lines[0] == #"{"targetDate":"2022-01-05","complete":false,"source":null,"films":[]}"#
                && json.exitStatus == 75)
    }

    @Test func `the error for an unknown field lists the known ones`() throws {
        for format in [AnswerFormat.fields(["rank", "ranks"]), .records(.csv, ["ranks"])] {
            #expect { try presentation(format).check(FilmRecord.chartFields) } throws: { error in
                (error as? StartupError)?.exitStatus == ExitStatus.usage
                    && "\(error)".hasPrefix(
                        "Unknown field 'ranks'. Did you mean 'rank'? Fields: date, rank, rowNumber,")
            }
        }
        try presentation(.json).check(FilmRecord.chartFields)
    }

    @Test func `a field that is named twice is refused`() {
        #expect(throws: StartupError.self) { try FilmRecord.chartFields.chosen(["rank", "title", "rank"]) }
    }

    @Test func `a quote with a combining mark is doubled, too`() {
        let field = [RecordField<Int>("a") { _ in .text("x\"\u{301},") }]
        #expect(RecordFormat.csv.lines([1], field)[1].unicodeScalars.count { $0 == "\"" } == 4)
    }

    @Test func `field names are unique`() {
        for fields in [FilmRecord.showFields, FilmRecord.chartFields, FilmRecord.movieFields, FilmRecord.posterFields] {
            #expect(Set(fields.map(\.name)).count == fields.count)
        }
    }
}
