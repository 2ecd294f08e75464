import Domain
import Kobis
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct KobisWeekChartTests {
    let weekend: ChartSelection

    init() throws {
        weekend = ChartSelection(.weekend, around: try #require(Day("2024-02-28")))
    }

    @Test(arguments: [
        (ChartKind.weekly, "targetDt=20240226&weekGb=0"), (.weekend, "targetDt=20240301&weekGb=1"),
        (.weekdays, "targetDt=20240226&weekGb=2"),
    ])
    func `the request for a week has its first day and its part`(kind: ChartKind, query: String) async throws {
        let request = try await request(for: ChartSelection(kind, around: try #require(Day("2024-02-28"))))
        #expect(request.path == "boxoffice/searchWeeklyBoxOfficeList.json")
        #expect(request.url.hasSuffix("?key=\(sampleKey)&\(query)"))
    }

    @Test(arguments: [
        (ChartFilter(region: .sejong), "wideAreaCd=0105017"), (ChartFilter(nation: .korean), "repNationCd=K"),
        (ChartFilter(nation: .foreign), "repNationCd=F"), (ChartFilter(diversity: .diverse), "multiMovieYn=Y"),
        (
            ChartFilter(region: .seoul, nation: .korean, diversity: .commercial),
            "repNationCd=K&multiMovieYn=N&wideAreaCd=0105001"
        ),
    ])
    func `a filter is a parameter of every chart`(filter: ChartFilter, query: String) async throws {
        let day = try #require(Day("2024-02-28"))
        let daily = try await request(for: ChartSelection(.daily, around: day, filter: filter))
        #expect(daily.url.hasSuffix("&targetDt=20240228&\(query)"))
        let weekly = try await request(for: ChartSelection(.weekly, around: day, filter: filter))
        #expect(weekly.url.hasSuffix("&weekGb=0&\(query)"))
    }

    @Test func `the rows of a week have the same fields as those of a day`() async throws {
        let chart = try await kobis(RecordingTransport(fixture: "chart-weekend-20240301.json"))
            .chart(weekend, deadline: anyDeadline)
        #expect(chart.selection == weekend && chart.entries.map(\.rank) == [1, 2, 3])
        #expect(chart.entries[0].audienceChangePercent == 100 && chart.entries[0].salesChangePercent == -17)
        #expect(chart.entries[0].openingDay == nil && chart.entries[1].code == "2024C632")
        // For a week, its first day decides whether a new film is a re-release.
        #expect(!chart.entries[0].isReentry(on: weekend.days.lowerBound))
    }

    @Test func `a current week may end yesterday`() async throws {
        let text = try Fixture.text("chart-weekend-20240301.json").replacing("~20240303", with: "~20240302")
        let chart = try await kobis(RecordingTransport(text)).chart(weekend, deadline: anyDeadline)
        #expect(chart.entries.count == 3)
    }

    @Test(arguments: [
        (
            "20240301~20240303", "20240223~20240225",
            "with the chart of 2024-02-23..2024-02-25 instead of 2024-03-01..2024-03-03"
        ),
        (
            "20240301~20240303", "20240301~20240307",
            "with the chart of 2024-03-01..2024-03-07 instead of 2024-03-01..2024-03-03"
        ),
        ("weeklyBoxOfficeList", "dailyBoxOfficeList", "without boxOfficeResult.weeklyBoxOfficeList"),
    ])
    func `another chart is rejected`(part: String, other: String, words: String) async throws {
        let text = try Fixture.text("chart-weekend-20240301.json").replacing(part, with: other)
        let error = try await upstreamError {
            try await kobis(RecordingTransport(text)).chart(weekend, deadline: anyDeadline)
        }
        #expect(error?.code == .malformed && error?.message == "KOBIS answered \(words).")
    }

    @Test func `the error names an undecodable field of a weekly row`() async throws {
        let text = try Fixture.text("chart-weekend-20240301.json").replacing("1007681", with: "x")
        let error = try await upstreamError {
            try await kobis(RecordingTransport(text)).chart(weekend, deadline: anyDeadline)
        }
        #expect(error?.message.contains("boxOfficeResult.weeklyBoxOfficeList[1].audiCnt:") == true)
    }

    private func request(for selection: ChartSelection) async throws -> UpstreamRequest {
        let transport = RecordingTransport(#"{"faultInfo":{"errorCode":"320010"}}"#)
        _ = try await upstreamError { try await kobis(transport).chart(selection, deadline: anyDeadline) }
        return try #require(await transport.requests.first)
    }
}
