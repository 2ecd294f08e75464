import Domain
import Foundation
import Testing

@Suite struct DayTests {
    @Test func `agrees with Foundation's calendar on every day of 2003 to 2030`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let first = try #require(Day(year: 2003, month: 1, day: 1))
        let last = try #require(Day(year: 2030, month: 12, day: 31))
        var day = first
        while day <= last {
            let date = Date(timeIntervalSince1970: Double(day.daysSinceEpoch) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let ours = day.components
            // Foundation counts weekdays from Sunday = 1, we from Monday = 1.
            let weekday = parts.weekday.map { ($0 + 5) % 7 + 1 }
            guard parts.year == ours.year, parts.month == ours.month, parts.day == ours.day, weekday == day.weekday,
                Day(year: ours.year, month: ours.month, day: ours.day) == day,
                Day(iso: day.iso) == day, Day(compact: day.compact) == day
            else {
                Issue.record("\(day) differs from \(parts)")
                return
            }
            day = day.advanced(by: 1)
        }
        #expect(day.days(since: first) == 10_227)
    }

    @Test(
        arguments: [
            // 2022-01-20T15:30:00Z is 00:30 on the 21st in Seoul.
            (1_642_692_600, "2022-01-21"), (1_642_690_799, "2022-01-20"), (1_642_690_799.999, "2022-01-20"),
            (1_642_690_800, "2022-01-21"), (0, "1970-01-01"), (-32_401, "1969-12-31"), (-32_400, "1970-01-01"),
        ] as [(Double, String)])
    func `the day in Seoul begins at 15 o'clock UTC`(seconds: Double, day: String) {
        #expect(Day.inSeoul(secondsSinceEpoch: seconds).iso == day)
    }

    @Test(arguments: [
        (2023, 2, 29), (1900, 2, 29), (2022, 4, 31), (2022, 13, 1), (2022, 0, 1), (2022, 1, 0), (0, 1, 1),
    ])
    func `an impossible date is not a day`(year: Int, month: Int, day: Int) {
        #expect(Day(year: year, month: month, day: day) == nil)
    }

    @Test(arguments: ["2000-02-29", "2024-02-29", "0001-01-01", "9999-12-31", "2003-11-11"])
    func `a written day reads back as the same text`(text: String) throws {
        let day = try #require(Day(iso: text))
        #expect(day.iso == text)
        #expect(day.description == text)
        #expect(Day(compact: day.compact) == day)
        #expect(day.compact == text.replacing("-", with: ""))
    }

    @Test(arguments: [
        "", " ", "2022-1-5", "2022-01-05 ", " 2022-01-05", "20220105", "2022/01/05", "2022-01-32", "2023-02-29",
        "2022-01-0५", "+022-01-05", "-2022-01-05", "2022-01-05T00:00", "２０２２-01-05", "2022--0105",
    ])
    func `a malformed text is not a day`(text: String) {
        #expect(Day(iso: text) == nil)
    }

    @Test(arguments: ["", " ", "2022-01-05", "2022015", "202201055", "20220229", "2022010a", "+2220105"])
    func `a malformed compact text is not a day`(text: String) {
        #expect(Day(compact: text) == nil)
    }

    @Test func `charts begin on the eleventh of November 2003`() {
        #expect(Day.firstChart.iso == "2003-11-11")
    }

    @Test func `JSON holds the day as text and refuses another form`() throws {
        let day = try #require(Day(iso: "2022-01-05"))
        #expect(String(decoding: try JSONEncoder().encode([day]), as: UTF8.self) == #"["2022-01-05"]"#)
        #expect(try JSONDecoder().decode([Day].self, from: Data(#"["2022-01-05"]"#.utf8)) == [day])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Day].self, from: Data(#"["20220105"]"#.utf8))
        }
    }
}
