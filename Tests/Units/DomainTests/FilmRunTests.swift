import Domain
import Foundation
import Testing

@Suite struct FilmRunTests {
    private static func day(_ number: Int) -> Day { Day(daysSinceEpoch: 19_000 + number) }

    private static func row(
        _ number: Int, rank: Int = 1, _ audience: Int, total: Int, before: Int? = nil, opening: Int? = 0,
        isProvisional: Bool = false, screens: Int = 10, sales: Int64 = 0
    ) -> FilmDay {
        FilmDay(
            day: day(number), isProvisional: isProvisional,
            entry: ChartEntry(
                rowNumber: rank, rank: rank, rankChange: 0, presence: before == nil ? .new : .old, code: "20199882",
                title: "경관의 피", openingDay: opening.map(day), salesAmount: sales, salesShare: 0, salesChange: 0,
                salesChangePercent: 0, salesTotal: 0, audience: audience,
                audienceChange: audience &- (before ?? 0), audienceChangePercent: 0, audienceTotal: total,
                screens: screens, showings: 0))
    }

    private static func run(_ rows: [FilmDay], unknown: [ClosedRange<Day>] = []) throws -> FilmRun {
        try #require(FilmRun(rows, unknown: unknown))
    }

    @Test func `a run without a row is none`() {
        #expect(FilmRun([], unknown: [Self.day(0)...Self.day(3)]) == nil)
    }

    @Test(arguments: [[0, 0], [1, 0], [0, 2, 1]]) func `days twice or out of order are no run`(days: [Int]) {
        #expect(FilmRun(days.map { Self.row($0, 1, total: 1) }, unknown: []) == nil)
    }

    @Test(arguments: [
        ("20253289", 2_353_197, 164_926, 2_518_168, 45), ("20241941", 5_148_244, 35_773, 5_184_017, 0),
        ("20254501", 4_609_580, 28_950, 4_638_536, 6), ("20256281", 23_857, 8754, 32_612, 1),
        ("20256701", 214_442, 7127, 221_574, 5), ("20256202", 25_413, 5028, 30_440, -1),
        ("20210546", 401_489, 4559, 406_050, 2), ("20256185", 10_181, 3616, 13_800, 3),
    ])
    func `the difference of adjacent days is what KOBIS has corrected: 2025-08-28 and 29`(
        code: String, total: Int, audience: Int, nextTotal: Int, correction: Int
    ) throws {
        let run = try Self.run([Self.row(0, 0, total: total), Self.row(1, audience, total: nextTotal, before: 0)])
        #expect(run.days.map(\.correction) == [0, correction], "\(code)")
        #expect(run.bands.filter { $0.first != nil }.isEmpty)
    }

    @Test func `days outside the ten are a band with their sum, and a row proves the day before it`() throws {
        let run = try Self.run([
            Self.row(0, 100, total: 130, before: 20), Self.row(1, 50, total: 180, before: 100),
            Self.row(5, 30, total: 260, before: 12), Self.row(7, 5, total: 300),
        ])
        let proven = run.provenDays
        #expect(proven.map(\.date) == [Self.day(-1), Self.day(4)])
        #expect(proven.map(\.audience) == [20, 12] && proven.map(\.audienceTotal) == [30, 230])
        #expect(run.bands.map(\.first) == [nil, Self.day(2), Self.day(6)])
        #expect(run.bands.map(\.last) == [Self.day(-2), Self.day(3), Self.day(6)])
        // 30 before the first row, 20 of them the day before; 230 - 180 - 12; 300 - 5 - 260.
        #expect(run.bands.map(\.audience) == [10, 38, 35])
    }

    @Test func `unknown days of a band are counted, and nothing is called the most while one is unknown`() throws {
        let rows = [Self.row(0, 100, total: 100), Self.row(3, rank: 2, 30, total: 160, before: 10)]
        let some = try Self.run(rows, unknown: [Self.day(1)...Self.day(1), Self.day(9)...Self.day(12)])
        // After the last row it may have others.
        #expect(some.bands.map(\.unknownDays) == [1] && some.unknownDays == 5)
        #expect(some.peak == nil && some.peakRank == nil && some.longestStreak == nil)
        let whole = try Self.run(rows, unknown: [Self.day(-9)...Self.day(-3)])
        #expect(whole.peak?.day == Self.day(0) && whole.peakRank == 1 && whole.longestStreak == 1)
        #expect(whole.present.count == 2 && whole.daysAtTop == 1)
    }

    @Test func `a day before the first known row may have been the best one`() throws {
        let run = try Self.run([Self.row(2, 100, total: 900, before: 400)], unknown: [Self.day(0)...Self.day(0)])
        #expect(run.unknownDays == 1 && run.peak == nil)
    }

    @Test func `days count from the opening, and those of a re-release from its first day in the ten`() throws {
        let run = try Self.run([
            Self.row(-2, 10, total: 10), Self.row(0, 10, total: 20), Self.row(60, 10, total: 100),
            Self.row(121, 10, total: 200), Self.row(123, 10, total: 300),
        ])
        #expect(run.days.map(\.dayOfRelease) == [-2, 0, 60, 0, 2])
        #expect(run.isRerelease && run.firstDay == Self.day(121) && run.present.count == 2)
        let unopened = try Self.run([Self.row(0, 10, total: 10, opening: nil)])
        #expect(unopened.days.map(\.dayOfRelease) == [nil])
    }

    @Test func `a milestone is exact when the row of its day crosses it`() throws {
        let run = try Self.run([
            Self.row(0, 90_000, total: 90_000), Self.row(1, 20_000, total: 110_000, before: 90_000),
            Self.row(5, 10, total: 600_000, before: 10),
        ])
        #expect(run.milestones.map(\.audience) == [100_000, 500_000])
        #expect(run.milestones.map(\.date) == [Self.day(1), Self.day(4)])
        #expect(run.milestones.map(\.isExact) == [true, false])
    }

    @Test func `the same weekday a week before, and ratios with the divisor 0, may be unknown`() throws {
        let run = try Self.run([
            Self.row(0, 7, total: 7), Self.row(7, 400, total: 500, before: 90, screens: 16, sales: 3_600_001),
            Self.row(13, 0, total: 500, before: 0, screens: 0),
        ])
        // Day 6 is proven by day 7.
        #expect(run.days.map(\.audienceWeekBefore) == [nil, 7, 90])
        #expect(run.rows[1].audiencePerScreen == 25 && run.rows[1].averagePrice == 9000)
        #expect(run.rows[2].audiencePerScreen == nil && run.rows[2].averagePrice == nil)
    }

    @Test func `numbers of any size do not trap`() throws {
        let run = try Self.run([
            Self.row(0, .max, total: .min, before: .min), Self.row(1, .min, total: .max, before: .max),
        ])
        #expect(run.lines.count > 1)
        #expect(try !JSONEncoder().encode(run).isEmpty)
    }
}
