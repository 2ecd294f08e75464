import Domain
import Testing

/// Today is Thursday, 2022-03-10, in Seoul.
@Suite struct WrittenDayTests {
    private static let now = 1_646_874_000.0

    @Test(arguments: [
        ("2022-01-05", "2022-01-05"), ("2022-1-5", "2022-01-05"), ("2022.01.05", "2022-01-05"),
        ("2022.01.05.", "2022-01-05"), ("2022. 1. 5.", "2022-01-05"), ("2022/1/5", "2022-01-05"),
        ("2022년 1월 5일", "2022-01-05"), ("2022년1월5일", "2022-01-05"), ("20220105", "2022-01-05"),
        ("2022\u{1102}\u{1167}\u{11AB} 1\u{110B}\u{116F}\u{11AF} 5\u{110B}\u{1175}\u{11AF}", "2022-01-05"),
        // The last such day: of this year, or of the one before.
        ("01-05", "2022-01-05"), ("3/9", "2022-03-09"), ("3/10", "2021-03-10"), ("12월 25일", "2021-12-25"),
        ("1. 5.", "2022-01-05"), ("02-29", "2020-02-29"),
        ("-1d", "2022-03-09"), ("-2w", "2022-02-24"), ("-1m", "2022-02-10"), ("-1y", "2021-03-10"),
        ("-12m", "2021-03-10"), ("어제", "2022-03-09"), ("Yesterday", "2022-03-09"), ("그제", "2022-03-08"),
        ("수요일", "2022-03-09"), ("목", "2022-03-03"), ("Friday", "2022-03-04"), ("mon", "2022-03-07"),
    ])
    func `a day is read in the form in which people write it`(text: String, day: String) throws {
        #expect(try Day.ofChart(text, now: Self.now).iso == day)
    }

    @Test func `a month that is too short has its last day`() throws {
        // Today is 2022-03-31.
        #expect(try Day.ofChart("-1m", now: Self.now + 21 * 86_400).iso == "2022-02-28")
    }

    @Test(arguments: [
        "", " ", "2022-13-01", "2022/1", "2022-1.5", "22-01-05", "1년 1월 1일", "2022년 1월", "1월", "5일", "2022-02-29",
        "13/1", "-d", "-1x", "--1d", "-99999999999999999999d", "-999999d", "+1d", "2022--05", "2022-01-05-", "몬",
        "1..5",
        "２０２２-01-05", "2022-01-0५", "-2022-01-05", "123-4-5", "02-30",
    ])
    func `other texts are no days`(text: String) {
        #expect(throws: ChartDayError.notADay(text)) { try Day.ofChart(text, now: Self.now) }
    }

    @Test(arguments: [("오늘", "2022-03-10"), ("today", "2022-03-10"), ("2022/3/10", "2022-03-10")])
    func `today has no chart yet`(text: String, day: String) throws {
        let today = try #require(Day(day))
        #expect(throws: ChartDayError.notPublished(today)) { try Day.ofChart(text, now: Self.now) }
    }

    @Test(arguments: [
        ("지난주", "2022-02-28", "2022-03-06"), ("last-week", "2022-02-28", "2022-03-06"),
        ("지난주말", "2022-03-04", "2022-03-06"), ("Last-Weekend", "2022-03-04", "2022-03-06"),
        ("지난달", "2022-02-01", "2022-02-28"), ("작년", "2021-01-01", "2021-12-31"),
        ("2021년", "2021-01-01", "2021-12-31"), ("2021년 7월", "2021-07-01", "2021-07-31"),
        ("지난달..어제", "2022-02-01", "2022-03-09"), ("2022년 1월 5일..2022/1/7", "2022-01-05", "2022-01-07"),
        ("-1m..", "2022-02-10", "2022-03-09"),
    ])
    func `periods have the names that people use`(text: String, first: String, last: String) throws {
        let days = try #require(Day(first))...#require(Day(last))
        #expect(try DayRangeParser(now: Self.now).parse(text) == days)
    }
}
