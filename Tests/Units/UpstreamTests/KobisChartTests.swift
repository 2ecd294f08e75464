import Domain
import Kobis
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct KobisChartTests {
    let day: Day

    init() throws {
        day = try #require(Day("2024-03-06"))
    }

    @Test func `a chart is one GET with the key, the day and nothing else`() async throws {
        let transport = try RecordingTransport(fixture: "chart-20240306.json")
        _ = try await kobis(transport).chart(.daily(day), deadline: anyDeadline)
        let requests = await transport.requests
        #expect(
            requests.map(\.url) == [
                "http://kobis.example/rest/boxoffice/searchDailyBoxOfficeList.json?key=\(sampleKey)&targetDt=20240306"
            ])
        #expect(requests.map(\.headers) == [["Accept": "application/json"]])
        #expect(requests.map(\.path) == ["boxoffice/searchDailyBoxOfficeList.json"])
    }

    @Test func `every field of a row is decoded`() async throws {
        let chart = try await chart("chart-20240306.json")
        #expect(chart.selection == .daily(day))
        #expect(chart.entries.count == 10)
        #expect(
            chart.entries[1]
                == ChartEntry(
                    rowNumber: 2, rank: 2, rankChange: -1, presence: .old, code: "20249002",
                    title: "달빛 정류장: 마지막 버스", openingDay: Day("2024-02-21"), salesAmount: 655_500_000,
                    salesShare: 30.4, salesChange: -112_345_678, salesChangePercent: -15.3,
                    salesTotal: 123_456_789_012, audience: 61_000, audienceChange: -12_000,
                    audienceChangePercent: -16.4, audienceTotal: 11_034_567, screens: 1201, showings: 5000))
    }

    @Test func `unusual values in answers are kept or normalised`() async throws {
        let entries = try await chart("chart-20240306.json").entries
        #expect(entries.map(\.rank) == [1, 2, 3, 4, 5, 5, 7, 8, 9, 10], "ties share a rank")
        #expect(entries[0].presence == .new)
        #expect(entries[0].audienceTotal > entries[0].audience)
        #expect(entries[2].code == "2024C632")
        #expect(entries[2].title == "바다로 간 우체부", "the trailing space is gone")
        #expect(entries[3].title == "「유리새」 『서곡』 <감독판> │ A&B! #1, 끝;")
        #expect(entries[3].openingDay == Day("2024-03-13"), "a preview opens in the future")
        #expect(entries[3].rankChange == 121)
        #expect(entries[3].salesChangePercent == 122_279.3)
        #expect(entries[4].openingDay == Day("1994-07-02"))
        #expect(entries[5].openingDay == Day("2024-01-10"), "the form without dashes is read too")
        #expect(entries[6].isReentry(on: day))
        #expect(entries[7].rankChange == -8)
        #expect(entries[9].openingDay == nil, "one space is no date")
    }

    @Test(arguments: [
        (#"\ud83c"#, "\u{FFFD}"), (#"a\udfa4b\ud83c"#, "a\u{FFFD}b\u{FFFD}"), (#"\ud83c\udfa4"#, "\u{1F3A4}"),
        (#"\ud83c\ud83c\udfa4"#, "\u{FFFD}\u{1F3A4}"), (#"\\ud83c"#, #"\ud83c"#), (#"\u0000\u001b"#, "\0\u{1B}"),
    ])
    func `half a surrogate pair costs its title a character, not the chart`(title: String, read: String) async throws {
        let row =
            #"{"rnum":"1","rank":"1","rankInten":"0","rankOldAndNew":"OLD","movieCd":"20249002","movieNm":"\#(title)","#
            + #""openDt":"2024-02-21","salesAmt":"1","salesShare":"1","salesInten":"1","salesChange":"1","salesAcc":"1","#
            + #""audiCnt":"1","audiInten":"1","audiChange":"1","audiAcc":"1","scrnCnt":"1","showCnt":"1"}"#
        let body =
            #"{"boxOfficeResult":{"boxofficeType":"x","showRange":"20240306~20240306","dailyBoxOfficeList":[\#(row)]}}"#
        let chart = try await kobis(RecordingTransport(body)).chart(.daily(day), deadline: anyDeadline)
        #expect(chart.entries.map(\.title) == [read])
    }

    @Test func `JSON numbers are read like numbers in strings`() async throws {
        let typed = try await chart("chart-numbers.json").entries
        let quoted = try await chart("chart-20240306.json").entries
        #expect(typed == [quoted[1]])
    }

    @Test(arguments: [("9007199254740993", 9_007_199_254_740_993), ("-7.0", -7), ("1e3", 1000), ("\" 42 \"", 42)])
    func `an integer is exact in every notation`(written: String, number: Int64) async throws {
        let text = try Fixture.text("chart-numbers.json").replacing("123456789012", with: written)
        let chart = try await kobis(RecordingTransport(text)).chart(.daily(day), deadline: anyDeadline)
        #expect(chart.entries.map(\.salesTotal) == [number])
    }

    @Test func `an empty list is a chart without entries`() async throws {
        #expect(try await chart("chart-empty.json") == Chart(.daily(day), entries: []))
    }

    @Test(arguments: ["openDt", "showRange"])
    func `a missing optional member is tolerated`(member: String) async throws {
        let text = try Fixture.text("chart-20240306.json").replacing("\"\(member)\"", with: "\"other\"")
        #expect(
            try await kobis(RecordingTransport(text)).chart(.daily(day), deadline: anyDeadline).entries.count == 10)
    }

    @Test(arguments: ["\"2024-13-01\"", "\"\"", "\"soon\"", "null"])
    func `an unreadable opening date is unknown and does not reject the chart`(date: String) async throws {
        let text = try Fixture.text("chart-20240306.json").replacing("\"2024-03-06\"", with: date)
        let chart = try await kobis(RecordingTransport(text)).chart(.daily(day), deadline: anyDeadline)
        #expect(chart.entries[0].openingDay == nil)
        #expect(chart.entries.count == 10)
    }

    @Test(arguments: [
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":\"many\"", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":\"\"", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":null", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":true", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":15500.5", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":{}", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":1e300", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audiCnt\":1e999", "[3].audiCnt"),
        ("\"audiCnt\":\"15500\"", "\"audience\":\"15500\"", "[3].audiCnt"),
        ("\"salesShare\":\"28.4\"", "\"salesShare\":\"nan\"", "[0].salesShare"),
        ("\"salesShare\":\"28.4\"", "\"salesShare\":\"0x1p4\"", "[0].salesShare"),
        ("\"salesAcc\":\"123456789012\"", "\"salesAcc\":\"9223372036854775808\"", "[1].salesAcc"),
        ("\"movieCd\":\"20249002\"", "\"movieCd\":\" \"", "[1].movieCd"),
        ("\"rankOldAndNew\":\"NEW\"", "\"rankOldAndNew\":\"OLDER\"", "[0].rankOldAndNew"),
    ])
    func `the error names an undecodable required field`(field: String, broken: String, path: String) async throws {
        let text = try Fixture.text("chart-20240306.json")
        #expect(text.contains(field))
        let transport = RecordingTransport(text.replacing(field, with: broken, maxReplacements: 1))
        let error = try await failure(of: transport)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("boxOfficeResult.dailyBoxOfficeList\(path):") == true, "\(error as Any)")
        #expect(error?.isRetryable == false)
        #expect(await transport.requests.count == 1)
    }

    @Test(arguments: [
        "{}", #"{"boxOfficeResult":null}"#, #"{"boxOfficeResult":{}}"#, #"{"boxOfficeResult":[]}"#, "[]", "\"text\"",
        "null", #"{"boxOfficeResult":{"dailyBoxOfficeList":{}}}"#, #"{"boxOfficeResult":{"dailyBoxOfficeList":[1]}}"#,
    ])
    func `JSON of another form is malformed and not retried`(body: String) async throws {
        let transport = RecordingTransport(body)
        let error = try await failure(of: transport)
        #expect(error?.code == .malformed)
        #expect(error?.isRetryable == false)
        #expect(await transport.requests.count == 1)
    }

    @Test func `the chart of another day is rejected`() async throws {
        let text = try Fixture.text("chart-20240306.json").replacing("20240306~20240306", with: "20240305~20240305")
        let error = try await failure(of: RecordingTransport(text))
        #expect(error?.code == .malformed)
        #expect(error?.message == "KOBIS answered with the chart of 2024-03-05 instead of 2024-03-06.")
    }

    private func chart(_ fixture: String) async throws -> Chart {
        try await kobis(RecordingTransport(fixture: fixture)).chart(.daily(day), deadline: anyDeadline)
    }

    private func failure(of transport: RecordingTransport) async throws -> UpstreamError? {
        try await upstreamError { try await kobis(transport).chart(.daily(day), deadline: anyDeadline) }
    }
}
