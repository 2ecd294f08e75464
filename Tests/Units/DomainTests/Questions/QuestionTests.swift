import Domain
import Testing

@Suite("What a range of charts says together")
struct QuestionTests {
    private let january = "2022-01-01".day..."2022-01-31".day

    private func edge(_ day: Day, _ audience: Int, total: Int) -> FilmGain.Edge {
        FilmGain.Edge(
            days: day...day, audience: audience, audienceTotal: total, sales: Int64(audience), salesTotal: Int64(total))
    }

    private func gain(
        opened opening: Day?, first: FilmGain.Edge, last: FilmGain.Edge, eve: FilmGain.Edge? = nil
    ) -> FilmGain {
        FilmGain(
            code: "20199882", title: "등대", openingDay: opening, in: january, first: first, last: last, eve: eve,
            charts: 2)
    }

    @Test("A gain is exact when both ends are known, else at least what the rows tell")
    func bounds() {
        let last = edge(january.upperBound, 10, total: 900)
        let onFirst = gain(opened: "2021-12-01".day, first: edge(january.lowerBound, 50, total: 350), last: last)
        #expect(onFirst.isExact && onFirst.audience == 600)
        let early = edge("2022-01-05".day, 50, total: 400)
        let eve = gain(
            opened: "2021-12-01".day, first: early, last: last, eve: edge("2021-12-31".day, 20, total: 310))
        #expect(eve.isExact && eve.audience == 590)
        let unknownStart = gain(opened: "2021-12-01".day, first: early, last: last)
        #expect(!unknownStart.isExact && unknownStart.audience == 550)
        let inside = gain(opened: "2022-01-31".day, first: edge("2022-01-30".day, 50, total: 60), last: last)
        #expect(inside.isExact && inside.audience == 900)
        // Previews may have been before the range.
        let previews = gain(opened: "2022-01-05".day, first: early, last: last)
        #expect(!previews.isExact && previews.audience == 550)
        let left = gain(opened: "2022-01-31".day, first: early, last: edge("2022-01-30".day, 5, total: 800))
        #expect(!left.isExact && left.audience == 450)
    }

    @Test("Hostile numbers do not trap")
    func hostile() {
        let wild = edge(january.lowerBound, .max, total: .min)
        #expect(gain(opened: nil, first: wild, last: edge(january.upperBound, .min, total: .max)).isExact)
        let share = AudienceShare(
            january, knownDays: 31, provisionalDays: 0, korean: .max, foreign: .max, coproduction: .min, unknown: 1)
        #expect(share.percent(.korean) == nil || share.audience > 0)
    }

    @Test(
        "Korea and another country is a co-production",
        arguments: [
            (["한국"], NationGroup.korean), (["한국", "미국"], .coproduction), (["미국", "영국"], .foreign), ([], .unknown),
            (nil, .unknown),
        ] as [([String]?, NationGroup)])
    func nations(nations: [String]?, group: NationGroup) {
        #expect(NationGroup(nations) == group)
    }

    @Test("The periods of a range cover it without a gap", arguments: ChartPeriod.allCases)
    func periods(period: ChartPeriod) {
        for (first, last) in [("2019-12-30", "2021-01-02"), ("2020-02-29", "2020-02-29"), ("2022-01-31", "2022-02-01")]
        {
            let days = first.day...last.day
            let periods = period.all(in: days)
            #expect(periods.reduce([]) { $0 + Array($1) } == Array(days))
            #expect(periods.dropFirst().allSatisfy { $0.lowerBound == period.days(around: $0.lowerBound).lowerBound })
        }
    }

    private func run(_ totals: [Int?], from first: Day, opened opening: Day?) throws -> FilmRun {
        var before = 0
        let rows = totals.enumerated().compactMap { index, total -> FilmDay? in
            guard let total else { return nil }
            defer { before = total }
            let day = first.advanced(by: index)
            return FilmDay(
                day: day, isProvisional: false,
                entry: .invented(audience: total - before, audienceTotal: total, openingDay: opening))
        }
        return try #require(FilmRun(rows, unknown: []))
    }

    @Test("Totals stand side by side by day of release and by date, and a film has no difference to itself")
    func comparison() throws {
        let first = try run([60_000, 120_000, 600_000], from: "2022-01-05".day, opened: "2022-01-05".day)
        let second = try run([90_000, nil, 300_000], from: "2022-02-02".day, opened: "2022-02-02".day)
        let byRelease = try #require(RunComparison([first, second], by: .release))
        // Each row also proves the day before.
        #expect(byRelease.lines.map(\.position) == [-1, 0, 1, 2])
        let day2 = try #require(byRelease.lines.last)
        #expect(day2.totals == [600_000, 300_000] && day2.difference == 300_000)
        #expect(byRelease.milestones.map(\.audience) == [100_000, 500_000])
        #expect(byRelease.milestones[0].days[0] == 1)
        let byDate = try #require(RunComparison([first, second], by: .date))
        #expect(byDate.lines.allSatisfy { $0.difference == nil })
        let itself = try #require(RunComparison([first, first], by: .release))
        #expect(itself.lines.allSatisfy { $0.difference == 0 })
        let unopened = try run([1], from: "2022-01-05".day, opened: nil)
        #expect(RunComparison([first, unopened], by: .release) == nil)
        #expect(RunComparison([first, unopened], by: .date) != nil)
    }

    @Test(
        "A film that enters is a release, a re-release or unclear, and one that comes back is none",
        arguments: [
            ("2022-01-05", "2022-01-05", nil, true, NewFilm.Kind.release),
            ("2022-01-05", "2022-01-05", nil, false, .release), ("2022-01-05", "2022-01-06", nil, false, .unclear),
            ("2010-01-05", "2022-01-05", nil, true, .rerelease),
            ("2010-01-05", "2022-01-05", "2021-01-01", true, .rerelease),
            ("2010-01-05", "2022-01-05", nil, false, .unclear),
            ("2021-12-25", "2022-01-05", "2021-12-31", true, nil),
            (nil, "2022-01-05", nil, true, .release),
        ] as [(String?, String, String?, Bool, NewFilm.Kind?)])
    func entries(opening: String?, day: String, lastDay: String?, isKnown: Bool, kind: NewFilm.Kind?) {
        let found = NewFilm.Kind(openedOn: opening?.day, day: day.day, lastDay: lastDay?.day) { _ in isKnown }
        #expect(found == kind)
    }

    @Test("A brief names the leader's lead, what is new and what passed a total")
    func brief() throws {
        let day = "2022-01-05".day
        let leader = ChartEntry.invented(audience: 64_050, audienceTotal: 1_010_000, openingDay: "2021-12-01".day)
        let second = ChartEntry.invented(
            audience: 50_000, audienceTotal: 50_000, openingDay: day, presence: .new, code: "20190002")
        let brief = try #require(ChartBrief(day: day, entries: [leader, second], weekBefore: [leader]))
        #expect(brief.lead == 14_050 && brief.new.map(\.code) == ["20190002"] && brief.returned.isEmpty)
        #expect(brief.passed.map(\.milestone) == [1_000_000] && brief.changePercent == 78.1)
        #expect(ChartBrief(day: day, entries: [], weekBefore: nil) == nil)
    }
}

extension ChartEntry {
    fileprivate static func invented(
        audience: Int, audienceTotal: Int, openingDay: Day?, presence: ChartPresence = .old, code: String = "20190001"
    ) -> ChartEntry {
        ChartEntry(
            rowNumber: 1, rank: 1, rankChange: 0, presence: presence, code: code, title: "등대", openingDay: openingDay,
            salesAmount: 1, salesShare: 1, salesChange: 0, salesChangePercent: 0, salesTotal: 1, audience: audience,
            audienceChange: 0, audienceChangePercent: 0, audienceTotal: audienceTotal, screens: 1, showings: 1)
    }
}

extension String {
    /// For days that exist.
    fileprivate var day: Day { Day(iso: self) ?? .firstChart }
}
