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
                "gateway: '스파이더맨': 여러 편이 있습니다. 코드로 고르세요. 더 찾기: gateway search '스파이더맨'",
                "  b  스파이더맨: 노 웨이 홈  2022-01-05",
                "  e  스파이더맨: 파 프롬 홈  2022-01-05",
            ])
        let json = try Samples.presentation(isJSON: true).candidates(candidates, for: .title("스파이더맨"), on: Samples.date)
        let start = #"{"title":"스파이더맨","complete":false,"source":"upstream","total":2,"candidates":[{"code":"b","#
        #expect(json.lines[0].hasPrefix(start))
        let more = FilmCandidates(candidates.films, total: 111)
        let long = try Samples.presentation().candidates(more, for: .title("스파이더맨"), on: Samples.date)
        #expect(long.notes.last == "  … 외 109편: gateway search")
        let none = try Samples.presentation(language: .en).candidates(
            FilmCandidates([]), for: .rank(99), on: Samples.date)
        #expect(
            none.notes == [
                "gateway: The chart of 2022-01-05 has no #99: a chart lists ten films. Give '#1' to '#10'."
            ])
    }
}

@Suite struct RunWordingTests {
    private func run(_ totals: [Int], unknown: [ClosedRange<Day>] = []) throws -> FilmRun {
        let rows = totals.enumerated().map { day, total in
            FilmDay(
                day: Samples.date.advanced(by: day), isProvisional: false,
                entry: Samples.entry(1, "a", audience: 2000, total: total))
        }
        return try #require(FilmRun(rows, unknown: unknown))
    }

    @Test func `the figures of a run have one line each`() throws {
        let lines = TextTable.labelled(RunWording(language: .ko).fields(try run([99_000, 101_000])), columns: nil)
        #expect(
            lines == [
                "누적 관객  101,000명 (2022-01-06 기준)",
                "10위권     2일, 1위 2일 (2022-01-05 ~ 2022-01-06, 누락된 차트 없음)",
                "최다 관객  2022-01-05, 2,000명 (2022-01-05 ~ 2022-01-06, 누락된 차트 없음)",
                "돌파       10만 2022-01-06",
            ])
    }

    @Test func `what a missing chart could change is not claimed`() throws {
        let missing = Samples.date...Samples.date
        let run = try run([3_500_000], unknown: [missing])
        let lines = TextTable.labelled(RunWording(language: .en).fields(run), columns: nil)
        #expect(
            lines == [
                "Total          3,500,000 admissions (as of 2022-01-05)",
                "In the top 10  at least 1 day, at least 1 at no. 1 (2022-01-05, 1 chart missing)",
                "Peak day       at least 2,000 admissions (2022-01-05, 1 chart missing)",
                "Milestones     3M by 2022-01-04",
            ])
    }
}

@Suite struct RunTextTests {
    private func text(_ columns: Int?, _ run: FilmRun, _ language: Language = .en) -> [String] {
        RunText(
            language: language, style: .plain, width: .narrow, columns: columns, title: run.title, end: nil
        ).lines(run, source: .upstream)
    }

    private func row(_ day: Int, _ audience: Int, total: Int, isProvisional: Bool = false) -> FilmDay {
        FilmDay(
            day: Samples.date.advanced(by: day), isProvisional: isProvisional,
            entry: Samples.entry(1, "a", audience: audience, total: total))
    }

    @Test func `a provisional day of the plot is hollow, and its row has a mark`() throws {
        let run = try #require(
            FilmRun(
                [row(0, 80, total: 80), row(1, 40, total: 120), row(2, 80, total: 200, isProvisional: true)],
                unknown: []))
        let lines = text(80, run)
        let plot = lines.filter { $0.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) } }
        // The area of three days over five lines, then the ranks.
        #expect(plot.first?.contains("⣿") == true && plot.count == 6, "\(lines)")
        #expect(plot[4].contains("⣿") && !plot[4].hasSuffix("⣿"))
        #expect(lines.contains { $0.hasPrefix("2022-01-07 Fri") && $0.contains("80*") })
        #expect(lines.last == "*: provisional")
    }

    @Test func `a preview is no week before, and a day outside the ten without admissions has no sum`() throws {
        let run = try #require(
            FilmRun(
                [
                    row(-3, 10, total: 10), row(-1, 20, total: 30), row(0, 50, total: 80), row(4, 100, total: 280),
                    row(7, 25, total: 400),
                ], unknown: []))
        func line(_ day: String) throws -> String { try #require(text(160, run).first { $0.hasPrefix(day) }) }
        #expect(try line("2022-01-06 ~ 01-07").hasSuffix(" -"))
        #expect(try !line("2022-01-09").contains("%"))
        #expect(try line("2022-01-12").contains("-50.0%"))
    }

    @Test(arguments: [20, 40, 80, 160]) func `no line is wider than the terminal`(columns: Int) throws {
        let run = try #require(
            FilmRun(
                [row(0, 80_000, total: 80_000), row(1, 40, total: 120_000), row(9, 80, total: 200_000)],
                unknown: [Samples.date.advanced(by: 3)...Samples.date.advanced(by: 4)]))
        for language in [Language.ko, .en] {
            let lines = text(columns, run, language).flatMap { $0.split(separator: "\n").map(String.init) }
            let wide = lines.filter { TextWidth.narrow.columns($0) > columns }
            #expect(wide.isEmpty, "\(wide)")
        }
    }
}
