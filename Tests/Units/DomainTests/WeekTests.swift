import Domain
import Testing

@Suite struct WeekTests {
    @Test(
        arguments: [
            ("2022-01-05", "2022-W01", "2022-01-03"), ("2022-01-01", "2021-W52", "2021-12-27"),
            ("2021-01-03", "2020-W53", "2020-12-28"), ("2024-12-30", "2025-W01", "2024-12-30"),
            ("2003-11-11", "2003-W46", "2003-11-10"), ("2026-11-22", "2026-W47", "2026-11-16"),
        ])
    func `a week has the number of ISO 8601`(day: String, text: String, monday: String) throws {
        let day = try #require(Day(iso: day))
        let week = Week(of: day)
        #expect(week.iso == text && week.monday.iso == monday)
        #expect(Week(iso: text) == week)
        #expect(week.days.count == 7 && week.days.contains(day))
    }

    @Test(arguments: ["2022-W00", "2022-W53", "2022-W99", "2022-W1", "2022-w01", "0000-W01", "2022-W01 ", "", "2022-W"])
    func `other text is no week`(text: String) {
        #expect(Week(iso: text) == nil)
    }

    @Test(arguments: [
        ("2022-02", 28, "2022-01", "2022-03"), ("2024-02", 29, "2024-01", "2024-03"),
        ("2022-12", 31, "2022-11", "2023-01"),
    ])
    func `a month has its days and its neighbours`(text: String, days: Int, previous: String, next: String) throws {
        let month = try #require(Month(iso: text))
        #expect(month.iso == text && month.days.count == days)
        #expect(month.previous.iso == previous && month.next.iso == next)
        #expect(month.weeks.allSatisfy { month.days.overlaps($0.days) })
        #expect(month.days.allSatisfy { day in month.weeks.contains { $0.days.contains(day) } })
    }

    @Test(arguments: ["2022-13", "2022-00", "0000-01", "2022-1", "2022", "2022-01-01", ""])
    func `other text is no month`(text: String) {
        #expect(Month(iso: text) == nil)
    }
}
