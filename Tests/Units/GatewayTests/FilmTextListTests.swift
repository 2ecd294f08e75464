import Domain
import Envelope
import Localization
import TerminalText
import TestSupport
import Testing
import Wording

@testable import Assembly
@testable import GatewayCore

@Suite struct CandidateListTests {
    private static let charts = [
        Chart(
            .daily(Samples.date),
            entries: [
                Samples.entry(1, "경관의 피", code: "a"), Samples.entry(2, "스파이더맨: 노 웨이 홈", code: "b"),
                Samples.entry(3, "SING 2", code: "c"), Samples.entry(4, "피", code: "d"),
            ]),
        Chart(
            .daily(Samples.date.advanced(by: -1)),
            entries: [Samples.entry(1, "경관의 피", code: "a"), Samples.entry(2, "스파이더맨: 파 프롬 홈", code: "e")]),
    ]

    private static let films = charts.flatMap(\.entries).map { FilmCandidate($0, from: .upstream) }

    @Test func `candidates are listed on stderr, with the code to choose by`() throws {
        let candidates = FilmCandidates(FilmCandidate.containing("스파이더맨", among: Self.films))
        let answer = try Samples.presentation().candidates(candidates, for: .title("스파이더맨"), on: Samples.date)
        #expect(answer.exitStatus == 66 && answer.output.isEmpty)
        #expect(
            answer.notes == [
                "gateway: 여러 편이 있습니다. 코드로 고르세요.", "  b  스파이더맨: 노 웨이 홈  2022-01-05", "  e  스파이더맨: 파 프롬 홈  2022-01-05",
            ])
        let json = try Samples.presentation(isJSON: true).candidates(candidates, for: .title("스파이더맨"), on: Samples.date)
        let start = #"{"title":"스파이더맨","complete":false,"source":"upstream","total":2,"candidates":[{"code":"b","#
        #expect(json.lines[0].hasPrefix(start))
        let more = FilmCandidates(candidates.films, total: 111)
        let long = try Samples.presentation().candidates(more, for: .title("스파이더맨"), on: Samples.date)
        #expect(long.notes.last == "  … 외 109편: gateway search")
        let none = try Samples.presentation(language: .en).candidates(
            FilmCandidates([]), for: .rank(99), on: Samples.date)
        #expect(none.notes == ["gateway: The chart of 2022-01-05 has no #99. (not_found, retry is no use)"])
    }
}

@Suite struct RunWordingTests {
    private func run(_ totals: [Int]) throws -> FilmRun {
        let charts = totals.enumerated().map { day, total in
            Chart(
                .daily(Samples.date.advanced(by: day)), entries: [Samples.entry(1, "a", audience: 2000, total: total)])
        }
        return try #require(FilmRun(of: "20199882", in: charts))
    }

    @Test func `a price beyond the range of Int is still printed`() throws {
        var entry = Samples.entry(1, "a", audience: 1)
        entry = ChartEntry(
            rowNumber: 1, rank: 1, rankChange: 0, presence: .old, code: entry.code, title: "a", openingDay: nil,
            salesAmount: .max, salesShare: 0, salesChange: 0, salesChangePercent: 0, salesTotal: 0, audience: 1,
            audienceChange: 0, audienceChangePercent: 0, audienceTotal: .max, screens: 1, showings: 0)
        let run = try #require(FilmRun(of: entry.code, in: [Chart(.daily(Samples.date), entries: [entry])]))
        #expect(RunWording(language: .en).fields(run).count == 2)
    }

    @Test func `the figures of a run have one line each`() throws {
        let lines = TextTable.labelled(RunWording(language: .ko).fields(try run([99_000, 101_000])), columns: nil)
        #expect(
            lines == [
                "누적 관객  101,000명 (2022-01-06 기준)", "평균       한 명당 0원 (2022-01-06)",
            ])
        let english = TextTable.labelled(RunWording(language: .en).fields(try run([3_500_000])), columns: nil)
        #expect(english[0] == "Total    3,500,000 admissions as of 2022-01-05")
    }
}
