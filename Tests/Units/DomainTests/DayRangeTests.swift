import Domain
import Testing

@Suite("Ranges of days")
struct DayRangeTests {
    /// 2022-03-10 10:00 in Seoul.
    private let parser = DayRangeParser(now: 1_646_874_000)

    private func days(_ first: String, _ last: String) throws -> ClosedRange<Day> {
        try #require(Day(iso: first))...#require(Day(iso: last))
    }

    @Test(
        "The forms that people write",
        arguments: [
            ("2021", "2021-01-01", "2021-12-31"), ("2022", "2022-01-01", "2022-03-09"),
            ("2003", "2003-11-11", "2003-12-31"), ("2022-01", "2022-01-01", "2022-01-31"),
            ("2022-W01", "2022-01-03", "2022-01-09"), ("2022-01-05..2022-01-07", "2022-01-05", "2022-01-07"),
            ("2022-02-20..", "2022-02-20", "2022-03-09"), ("..2003-12", "2003-11-11", "2003-12-31"),
            ("-30d..", "2022-02-08", "2022-03-09"), ("-7d..어제", "2022-03-03", "2022-03-09"),
            ("2020..2021", "2020-01-01", "2021-12-31"), ("2022-01-05", "2022-01-05", "2022-01-05"),
            ("2022-W09..2022-03", "2022-02-28", "2022-03-09"),
        ])
    func forms(text: String, first: String, last: String) throws {
        #expect(try parser.parse(text) == days(first, last))
    }

    @Test(
        "Text that is no range", arguments: ["", "..", "2022-13", "2022-W60", "2022-01-05..x", "99999", "a..b", "..."])
    func noRange(text: String) {
        #expect(throws: DayRangeError.notARange(text)) { try parser.parse(text) }
    }

    @Test("A reversed range, and periods without charts")
    func wrongRanges() throws {
        #expect(
            throws: try DayRangeError.reversed(
                first: #require(Day(iso: "2022-01-07")), last: #require(Day(iso: "2022-01-05")),
                turned: "2022-01-05..2022-01-07")
        ) {
            try parser.parse("2022-01-07..2022-01-05")
        }
        let charted = try days("2003-11-11", "2022-03-09")
        for text in ["2002", "2023", "2022-04", "2003-10"] {
            #expect(throws: DayRangeError.outOfRange(first: charted.lowerBound, last: charted.upperBound)) {
                try parser.parse(text)
            }
        }
    }

    @Test("A day without a chart is refused also as an end")
    func daysWithoutChart() throws {
        let today = try #require(Day(iso: "2022-03-10"))
        #expect(throws: ChartDayError.notPublished(today)) { try parser.parse("2022-03-10") }
        #expect(throws: ChartDayError.notPublished(today)) { try parser.parse("2022-03-01..today") }
    }
}
