import Testing

@testable import DemoUpstreamCore

/// The fixed time of these tests is 2026-01-01 09:00 in Seoul.
@Suite(.timeLimit(.minutes(2)))
struct KobisWireTests {
    @Test func `a chart has the format and member order of the upstream`() async throws {
        try await UpstreamClient.withUpstream { client in
            let reply = try await client.chart("20220105")
            #expect(reply.status == 200 && reply.contentType == "application/json;charset=utf-8")
            let chart = try reply.decoded(Wire.Chart.self)
            #expect(chart.boxOfficeResult.boxofficeType == "일별 박스오피스")
            #expect(chart.boxOfficeResult.showRange == "20220105~20220105")
            #expect(chart.rows.count == 10)
            let members = [
                "rnum", "rank", "rankInten", "rankOldAndNew", "movieCd", "movieNm", "openDt", "salesAmt", "salesShare",
                "salesInten", "salesChange", "salesAcc", "audiCnt", "audiInten", "audiChange", "audiAcc", "scrnCnt",
                "showCnt",
            ]
            let places = members.compactMap { reply.text.firstRange(of: "\"\($0)\":\"")?.lowerBound }
            #expect(places.count == members.count && places == places.sorted())
            #expect(!reply.text.contains("\n") && !reply.text.contains("\": "))
        }
    }

    @Test(arguments: ["20260101", "20260102", "20991231", "20031110", "19990101"])
    func `an unpublished day is an empty list and no fault`(date: String) async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.chart(date) }
        let expected = #"{"boxOfficeResult":{"boxofficeType":"일별 박스오피스","showRange":"\#(date)~\#(date)","#
        #expect(reply.status == 200 && reply.text == expected + #""dailyBoxOfficeList":[]}}"#)
    }

    @Test(arguments: ["20251231", "20031111"])
    func `the first and the last published day have ten rows`(date: String) async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.chart(date) }
        #expect(try reply.decoded(Wire.Chart.self).rows.count == 10)
    }

    @Test(arguments: [nil, "", "short", "0123456789abcdef0123456789abcde!", "0123456789abcdef0123456789abcdef0"])
    func `an invalid key is refused with HTTP 200`(key: String?) async throws {
        try await UpstreamClient.withUpstream { client in
            for reply in [try await client.chart("20220105", key: key), try await client.detail("1", key: key)] {
                #expect(reply.status == 200)
                #expect(reply.text == #"{"faultInfo":{"message":"유효하지않은 키값입니다.","errorCode":"320010"}}"#)
            }
        }
    }

    @Test func `a missing date and a malformed date are different faults`() async throws {
        try await UpstreamClient.withUpstream { client in
            #expect(try await client.chart(nil).decoded(Wire.Fault.self).faultInfo.errorCode == "320102")
            for date in ["2025", "2025-01-01", "20230229", "20251301", "어제"] {
                let fault = try await client.chart(date).decoded(Wire.Fault.self).faultInfo
                #expect(fault.errorCode == "320103" && fault.message.contains("parameterValue=\(date)]"))
            }
        }
    }

    @Test func `rows can be fewer but never more than ten`() async throws {
        try await UpstreamClient.withUpstream { client in
            for (text, count) in [("3", 3), ("10", 10), ("11", 10), ("0", 10), ("x", 10)] {
                let reply = try await client.chart("20220105", ["itemPerPage": text])
                #expect(try reply.decoded(Wire.Chart.self).rows.count == count)
            }
        }
    }

    @Test func `every film of a chart has a detail that agrees with its row`() async throws {
        try await UpstreamClient.withUpstream { client in
            for row in try await client.chart("20190713").decoded(Wire.Chart.self).rows {
                let code = try #require(row["movieCd"])
                let detail = try await client.detail(code).decoded(Wire.Detail.self)
                #expect(detail.film.movieCd == code && detail.film.movieNm == row["movieNm"])
                #expect(detail.film.openDt == row["openDt"]?.replacing("-", with: "").replacing(" ", with: ""))
                #expect(detail.movieInfoResult.source?.contains("demo") == true)
            }
        }
    }

    @Test func `an unknown film is a record of empty strings`() async throws {
        let film = try await UpstreamClient.withUpstream { try await $0.detail("20199882").decoded(Wire.Detail.self) }
            .film
        #expect(film.movieCd == "" && film.movieNm == "" && film.openDt == "" && film.genres.isEmpty)
    }

    @Test(arguments: [
        ("0", "20220103~20220109", "주간"), ("1", "20220107~20220109", "주말"), ("2", "20220103~20220106", "주중"),
    ])
    func `a weekly chart has the format of the upstream`(code: String, range: String, type: String) async throws {
        try await UpstreamClient.withUpstream { client in
            for date in ["20220103", "20220109"] {
                let result = try await client.weekChart(date, code).decoded(Wire.WeekChart.self).boxOfficeResult
                #expect(result.boxofficeType == "\(type) 박스오피스" && result.showRange == range)
                #expect(result.yearWeekTime == "202201" && result.weeklyBoxOfficeList.count == 10)
            }
        }
    }

    @Test func `the default period is the weekend`() async throws {
        try await UpstreamClient.withUpstream { client in
            let weekend = try await client.weekChart("20220105", "1").body
            #expect(try await client.weekChart("20220105", nil).body == weekend)
            let fault = try await client.weekChart("20220105", "3").decoded(Wire.Fault.self).faultInfo
            #expect(fault.errorCode == "320105")
        }
    }

    @Test func `a current week is shown up to yesterday and a later one is empty`() async throws {
        try await UpstreamClient.withUpstream { client in
            let running = try await client.weekChart("20260101", "0").decoded(Wire.WeekChart.self).boxOfficeResult
            #expect(running.showRange == "20251229~20251231" && running.weeklyBoxOfficeList.count == 10)
            let later = try await client.weekChart("20260101", "1").decoded(Wire.WeekChart.self).boxOfficeResult
            #expect(later.weeklyBoxOfficeList.isEmpty)
        }
    }

    @Test func `filters change the chart`() async throws {
        try await UpstreamClient.withUpstream { client in
            let plain = try await client.chart("20190713").body
            for filter in [
                ["repNationCd": "K"], ["repNationCd": "F"], ["multiMovieYn": "Y"], ["multiMovieYn": "N"],
                ["wideAreaCd": "0105010"],
            ] {
                #expect(try await client.chart("20190713", filter).body != plain)
            }
            #expect(
                try await client.chart("20190713", ["unknown": "Y", "repNationCd": "", "wideAreaCd": "9"]).body == plain
            )
        }
    }
}
