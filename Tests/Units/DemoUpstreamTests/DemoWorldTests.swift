import Domain
import Foundation
import Testing

@testable import DemoUpstreamCore

/// One thousand random dates, each compared with the day before it, on the strings that go over the wire.
@Suite(.timeLimit(.minutes(5)))
struct DemoWorldTests {
    private let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)

    @Test func `neighbouring days agree in counts, changes, ranks and order`() throws {
        var violations: [String] = []
        for day in days(300) {
            let dayBefore = day.advanced(by: -1)
            let before = try wire(dayBefore)
            let after = try wire(day)
            violations += ChartRules.violations(within: after, on: day)
            violations += ChartRules.violations(from: before, to: after, on: day)
            violations += ChartRules.violations(
                of: after, on: day, against: world.ranking(during: dayBefore...dayBefore))
        }
        #expect(violations.isEmpty, "\(violations.prefix(5))")
    }

    @Test func `the irregularities of real charts occur`() throws {
        var seen: [String: Int] = [:]
        for day in days(1_000) {
            let rows = try wire(day)
            let ranks = rows.map { $0.number("rank") }
            if zip(ranks, ranks.dropFirst()).contains(where: { $1 > $0 + 1 }) { seen["tie, then a skipped rank"] = 1 }
            for row in rows {
                let opening = row["openDt"].flatMap { Day(iso: $0) }
                let isNew = row["rankOldAndNew"] == "NEW"
                let hadPreviews = row.number("audiAcc") > row.number("audiCnt")
                if row["openDt"] == " " { seen["no opening date"] = 1 }
                if let opening, opening > day { seen["preview before the opening"] = 1 }
                if let opening, day.days(since: opening) > 3650 { seen["re-release"] = 1 }
                if let opening, isNew, (15...3650).contains(day.days(since: opening)) { seen["re-entry"] = 1 }
                if opening == day, !isNew, hadPreviews { seen["OLD on the opening day"] = 1 }
                if opening == day, isNew, hadPreviews { seen["NEW after earlier previews"] = 1 }
                if row["movieCd"]?.contains(where: \.isLetter) == true { seen["letter in a code"] = 1 }
                if row["movieNm"]?.hasSuffix(" ") == true { seen["space after a title"] = 1 }
                if row["movieNm"]?.contains("「") == true { seen["bracketed title"] = 1 }
                if row["audiChange"]?.contains(".") == true { seen["change with a decimal"] = 1 }
                if isNew, row["audiChange"] == "100" { seen["NEW changes by 100"] = 1 }
            }
            if seen.count == 12 { break }
        }
        #expect(seen.count == 12, "only \(seen.keys.sorted())")
    }

    @Test func `a seed determines the world`() throws {
        for day in days(20) {
            let body = ChartWriter.body(of: world.chart(.daily(day), lastPublished: day))
            #expect(body == ChartWriter.body(of: DemoWorld(seed: world.seed).chart(.daily(day), lastPublished: day)))
            #expect(
                body != ChartWriter.body(of: DemoWorld(seed: world.seed + 1).chart(.daily(day), lastPublished: day)))
        }
    }

    @Test func `a filtered chart ranks only the films that it admits`() {
        for day in days(20) {
            let korean = world.ranking(during: day...day, of: ChartFilter(nation: .korean))
            let foreign = world.ranking(during: day...day, of: ChartFilter(nation: .foreign))
            #expect(korean.places.first?.rank == 1 && foreign.places.first?.rank == 1)
            #expect(korean.places.allSatisfy { $0.film.isKorean } && foreign.places.allSatisfy { !$0.film.isKorean })
            #expect(korean.places.count + foreign.places.count == world.ranking(during: day...day).places.count)
            let diverse = world.ranking(during: day...day, of: ChartFilter(diversity: .diverse))
            #expect(diverse.places.allSatisfy { $0.film.isDiverse })
        }
    }

    @Test(arguments: [ChartKind.weekly, .weekend, .weekdays])
    func `a weekly chart adds up its days and is compared with the week before`(kind: ChartKind) throws {
        for day in days(20) {
            let selection = ChartSelection(kind, around: day)
            let last = selection.days.upperBound
            let body = ChartWriter.body(of: world.chart(selection, lastPublished: last))
            let rows = try JSONDecoder().decode(Wire.WeekChart.self, from: Data(body)).boxOfficeResult
                .weeklyBoxOfficeList
            #expect(ChartRules.violations(within: rows, on: day).isEmpty)
            let rankings = selection.days.map { world.ranking(during: $0...$0) }
            let before = world.ranking(
                during: selection.days.lowerBound.advanced(by: -7)...last.advanced(by: -7))
            for row in rows {
                let id = try #require(row["movieCd"].flatMap(DemoFilm.id(ofCode:)))
                #expect(row.number("audiCnt") == rankings.reduce(0) { $0 + ($1.place(of: id)?.admissions ?? 0) })
                let old = before.place(of: id)
                #expect((row["rankOldAndNew"] == "NEW") == (old == nil))
                #expect(row.number("audiCnt") - row.number("audiInten") == old?.admissions ?? 0)
                #expect(row["audiChange"]?.contains(".") == true)
            }
        }
    }

    @Test func `a chart that is still counted lacks tickets and keeps its order`() {
        var lacking = 0
        for day in days(200) {
            let chart = world.chart(.daily(day), lastPublished: day)
            let early = chart.stillCounted(seed: world.seed)
            #expect(
                early.rows.map(\.code) == chart.rows.map(\.code) && early.rows.map(\.rank) == chart.rows.map(\.rank))
            let counts = early.rows.map(\.admissions)
            #expect(counts == counts.sorted(by: >) && counts.allSatisfy { $0 > 0 })
            for (before, after) in zip(early.rows, chart.rows) {
                let missing = after.admissions - before.admissions
                #expect((0...52).contains(missing) && after.totalAdmissions - before.totalAdmissions == missing)
                lacking += missing
            }
        }
        #expect(lacking > 10_000)
    }

    @Test func `a regional chart is a part of the national one and ranked anew`() {
        let share = Region.allCases.reduce(0) { $0 + $1.audienceShare }
        #expect(abs(share - 1) < 0.001)
        for day in days(20) {
            let country = world.ranking(during: day...day)
            let orders = Region.allCases.map { region in
                let regional = world.ranking(during: day...day, of: ChartFilter(region: region))
                for place in regional.places {
                    #expect(place.admissions < country.place(of: place.film.id)?.admissions ?? 0)
                }
                return regional.places.prefix(10).map(\.film.id)
            }
            #expect(Set(orders).count > 5)
        }
    }

    @Test func `a current week is counted up to yesterday`() throws {
        let selection = ChartSelection(.weekly, around: try #require(Day("2025-12-31")))
        let monday = selection.days.lowerBound
        let chart = world.chart(selection, lastPublished: monday.advanced(by: 1))
        #expect(chart.days == monday...monday.advanced(by: 1) && chart.rows.count == 10)
        #expect(world.chart(selection, lastPublished: monday.advanced(by: -1)).rows.isEmpty)
    }

    @Test(arguments: [
        ("2011-12-30", "201152"), ("2012-01-01", "201152"), ("2012-01-02", "201201"), ("2021-01-03", "202053"),
    ])
    func `a week has the number of ISO 8601`(day: String, number: String) throws {
        #expect(DemoWeek(of: try #require(Day(day))).yearAndWeek == number)
    }

    @Test func `no run is longer than the weeks that a ranking includes`() {
        let longest = DemoFilmKind.allCases.map(\.lengths.upperBound).max() ?? 0
        #expect(longest + 6 <= DemoWorld.longestRunInWeeks * 7)
    }

    private func days(_ count: Int) -> [Day] {
        var random = SplitMix64(seed: 2_003)
        let last = Day.inSeoul(secondsSinceEpoch: 1_767_225_600)
        return (0..<count).map { _ in
            Day.firstChart.advanced(by: random.number(in: 1...(last.days(since: .firstChart) - 1)))
        }
    }

    private func wire(_ day: Day) throws -> [[String: String]] {
        try JSONDecoder().decode(
            Wire.Chart.self, from: Data(ChartWriter.body(of: world.chart(.daily(day), lastPublished: day)))
        ).rows
    }
}
