import Domain
import Testing

@Suite struct ChartRevisionTests {
    private let day = Day(daysSinceEpoch: 18_997)

    @Test func `equal figures are not a revision, regardless of other changes`() {
        let old = chart([("a", 1, 500, 5_000)])
        #expect(ChartRevision(from: old, to: old) == nil)
        #expect(ChartRevision(from: old, to: chart([("a", 1, 500, 5_000)], title: "고친 제목")) == nil)
        #expect(ChartRevision(from: chart([]), to: chart([])) == nil)
    }

    @Test func `a revision lists each film's difference, and added and removed films`() {
        let old = chart([("a", 1, 500, 5_000), ("b", 2, 400, 4_000), ("c", 3, 300, 3_000)])
        let new = chart([("b", 1, 452, 4_520), ("a", 2, 448, 4_480), ("d", 3, 300, 3_000)])
        let revision = ChartRevision(from: old, to: new)
        #expect(
            revision?.changes.map { [Int64($0.audience), $0.sales, Int64($0.ranks)] } == [
                [52, 520, 1], [-52, -520, -1],
            ])
        #expect(revision?.changes.map(\.code) == ["b", "a"])
        #expect(revision?.entered == ["d"] && revision?.left == ["c"])
    }

    @Test func `figures at the limits of integers do not crash`() {
        #expect(ChartRevision(from: chart([("a", 1, .max, .max)]), to: chart([("a", 1, .min, .min)])) != nil)
    }

    private func chart(_ rows: [(code: String, rank: Int, audience: Int, sales: Int64)], title: String = "제목") -> Chart
    {
        Chart(
            .daily(day),
            entries: rows.map { row in
                ChartEntry(
                    rowNumber: row.rank, rank: row.rank, rankChange: 0, presence: .old, code: row.code, title: title,
                    openingDay: nil, salesAmount: row.sales, salesShare: 1, salesChange: 0, salesChangePercent: 0,
                    salesTotal: 0, audience: row.audience, audienceChange: 0, audienceChangePercent: 0,
                    audienceTotal: 0, screens: 1, showings: 1)
            })
    }
}
