import Domain
import Testing

@Suite struct ChartSelectionTests {
    @Test(
        arguments: [
            (.daily, "2012-01-01", "2012-01-01", "2012-01-01"), (.weekly, "2011-12-26", "2011-12-26", "2012-01-01"),
            (.weekly, "2012-01-01", "2011-12-26", "2012-01-01"), (.weekend, "2011-12-26", "2011-12-30", "2012-01-01"),
            (.weekend, "2012-01-01", "2011-12-30", "2012-01-01"), (.weekdays, "2012-01-01", "2011-12-26", "2011-12-29"),
            (.weekdays, "2012-01-02", "2012-01-02", "2012-01-05"), (.weekend, "1969-12-29", "1970-01-02", "1970-01-04"),
        ] as [(ChartKind, String, String, String)])
    func `any day of a week leads to the same days`(kind: ChartKind, day: String, first: String, last: String) throws {
        let selection = ChartSelection(kind, around: try #require(Day(day)))
        #expect(selection.days == (try #require(Day(first)))...(try #require(Day(last))))
    }

    @Test func `a selection has a readable description`() throws {
        let day = try #require(Day("2022-01-05"))
        #expect(ChartSelection.daily(day).description == "2022-01-05")
        let filter = ChartFilter(region: .jeju, nation: .foreign, diversity: .commercial)
        #expect(
            ChartSelection(.weekend, around: day, filter: filter).description
                == "2022-01-07..2022-01-09 jeju foreign commercial")
    }

    @Test func `days of a range can be counted and iterated`() throws {
        let first = try #require(Day("2023-12-31"))
        let range = first...first.advanced(by: 2)
        #expect(range.count == 3 && range.map(\.iso) == ["2023-12-31", "2024-01-01", "2024-01-02"])
    }
}
