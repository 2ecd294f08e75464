import Domain
import Foundation
import Testing

@Suite struct FilmRunTests {
    private static let code = "20199882"

    private static func entry(
        _ rank: Int, audience: Int, total: Int, screens: Int = 10, sales: Int64 = 0, code: String = code
    ) -> ChartEntry {
        ChartEntry(
            rowNumber: rank, rank: rank, rankChange: 0, presence: .old, code: code, title: "경관의 피", openingDay: nil,
            salesAmount: sales, salesShare: 0, salesChange: 0, salesChangePercent: 0, salesTotal: 0, audience: audience,
            audienceChange: 0, audienceChangePercent: 0, audienceTotal: total, screens: screens, showings: 0)
    }

    private static func chart(_ day: Int, _ entries: ChartEntry...) -> Chart {
        Chart(.daily(Day(daysSinceEpoch: 19_000 + day)), entries: entries)
    }

    private static func day(_ number: Int) -> Day { Day(daysSinceEpoch: 19_000 + number) }

    private static let charts = [
        chart(5, entry(1, audience: 300, total: 600_000)), chart(0, entry(2, audience: 900, total: 90_000)),
        chart(1, entry(1, audience: 800, total: 99_999)), chart(2, entry(1, audience: 900, total: 100_000)),
        chart(3, entry(4, audience: 1, total: 1, code: "other")),
        chart(6, entry(1, audience: 400, total: 600_400, screens: 16, sales: 3_600_001)),
    ]

    @Test func `the total is that of the last day, whatever the order of the charts`() throws {
        let run = try #require(FilmRun(of: Self.code, in: Self.charts))
        #expect(run.lastDay == Self.day(6) && run.audienceTotal == 600_400)
        let early = try #require(FilmRun(of: Self.code, in: Array(Self.charts.dropFirst(1).prefix(3))))
        #expect(early.lastDay == Self.day(2) && early.audienceTotal == 100_000)
    }

    @Test func `what needs every day of the run is null in JSON`() throws {
        let run = try #require(FilmRun(of: Self.code, in: Self.charts))
        let json = String(decoding: try JSONEncoder().encode(run), as: UTF8.self)
        for key in ["knownDays", "chartDays", "firstDay", "peakRank", "peakAudience", "longestStreak", "milestones"] {
            #expect(json.contains("\"\(key)\":null"))
        }
        #expect(try JSONDecoder().decode(FilmRun.self, from: Data(json.utf8)) == run)
    }

    @Test func `a ratio with the divisor 0 is unknown`() throws {
        let run = try #require(FilmRun(of: Self.code, in: Self.charts))
        #expect(run.audiencePerScreen == 25 && run.averagePrice == 9000)
        let nothing = try #require(
            FilmRun(of: Self.code, in: [Self.chart(1, Self.entry(1, audience: 0, total: 0, screens: 0))]))
        #expect(nothing.audiencePerScreen == nil && nothing.averagePrice == nil)
    }

    @Test func `a film without a chart, and charts of weeks and parts, give no run`() {
        #expect(FilmRun(of: "2019A002", in: Self.charts) == nil)
        #expect(FilmRun(of: Self.code, in: []) == nil)
        let entries = [Self.entry(1, audience: 1, total: 1)]
        let week = Chart(ChartSelection(.weekly, around: Self.day(1)), entries: entries)
        let part = Chart(
            ChartSelection(.daily, around: Self.day(1), filter: ChartFilter(nation: .korean)), entries: entries)
        #expect(FilmRun(of: Self.code, in: [week, part]) == nil)
    }
}
