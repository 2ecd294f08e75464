import Domain
import Localization
import TerminalText
import TestSupport
import Testing

@testable import GatewayCore

/// The views of a chart at widths from none to many.
@Suite struct ChartViewTests {
    private static let mixed = [
        Samples.entry(1, "경관의 피", presence: .new), Samples.entry(2, "스파이더맨: 노 웨이 홈", change: -1),
        Samples.entry(3, "SING 2", change: 12), Samples.entry(4, "\u{1100}\u{1167}\u{11BC}\u{1100}\u{116A}\u{11AB}"),
        Samples.entry(10, "🎬 · 엔칸토…", audience: 1),
    ]

    private func text(_ columns: Int?, isWide: Bool = false, _ language: Language = .ko) -> ChartText {
        ChartText(
            language: language, style: Samples.plain, width: TextWidth(isAmbiguousWide: isWide), columns: columns)
    }

    @Test func `a narrow terminal drops columns from the end, rank and title last`() {
        let entry = [Samples.entry(1, "경관의 피와 살과 뼈", presence: .new)]
        func line(_ columns: Int) -> String { text(columns).list(entry).lines[0] }
        #expect(line(58) == "  1  신작  경관의 피와 살과 뼈  당일 64,050 / 총 6,012,345")
        #expect(line(55) == "  1  신작  경관의 피와 살…   당일 64,050 / 총 6,012,345")
        #expect(line(50) == "  1  신작  경관의 피와 살과 뼈  당일 64,050")
        #expect(line(39) == "  1  신작  경관의 피와 살과 뼈  64,050")
        #expect(line(30) == "  1  신작  경관의 피와 살과 뼈")
        #expect(line(20) == "  1  경관의 피와 살…")
        #expect(line(8) == "  1  경…")
        #expect(line(1) == "  1  …")
    }

    @Test(arguments: [false, true], [1, 7, 20, 40, 60, 80, 100, 160])
    func `no line of a view is wider than the terminal`(isWide: Bool, columns: Int) {
        let text = text(columns, isWide: isWide)
        for lines in [
            text.list(Self.mixed).lines, text.wide(Self.mixed).lines, ChartGrid(text: text).lines(Self.mixed),
        ] {
            for line in lines { #expect(text.width.columns(line) <= max(columns, 7), "\(line)") }
        }
    }

    @Test func `the table has a header, and its figures are right-aligned`() {
        let lines = text(nil).wide(Self.mixed).lines
        #expect(lines.count == Self.mixed.count + 1)
        #expect(
            lines[0].split(separator: #/  +/#)
                == ["#", "당일", "누적", "증감", "매출(원)", "점유율", "스크린", "상영", "개봉일", "코드"])
        #expect(Set(lines.map(TextWidth.narrow.columns)).count == 1)
        let narrow = text(60, .en).wide(Self.mixed).lines
        #expect(narrow[0].split(separator: #/  +/#) == ["#", "day", "total", "change"])
    }

    @Test(arguments: [(25, 1), (40, 1), (50, 2), (75, 2), (76, 3), (80, 3), (160, 6), (nil, 3)] as [(Int?, Int)])
    func `a grid row has as many cells as fit`(columns: Int?, cells: Int) {
        let entries = (1...9).map { Samples.entry($0, "경관의 피") }
        let lines = ChartGrid(text: text(columns)).lines(entries)
        #expect(lines[1].matches(of: /경관의 피/).count == cells)
        #expect(lines.joined().matches(of: /경관의 피/).count == 9)
    }

    @Test func `a cell has rank, movement, title, audience and a caption`() {
        let lines = ChartGrid(text: text(54)).lines(Array(Self.mixed.prefix(3)), captions: ["포스터 없음", "b", "c"])
        #expect(
            lines == [
                "1  신작                   2  ▼1", "경관의 피                 스파이더맨: 노 웨이 홈",
                "당일 64,050               당일 64,050", "총 6,012,345              총 6,012,345",
                "포스터 없음               b", "", "3  ▲12", "SING 2", "당일 64,050", "총 6,012,345", "c",
            ])
    }

    @Test func `colour does not change the text`() {
        let coloured = ChartText(language: .ko, style: Samples.coloured, columns: 54)
        for (plain, painted) in zip(
            ChartGrid(text: text(54)).lines(Self.mixed), ChartGrid(text: coloured).lines(Self.mixed))
        {
            #expect(painted.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
        }
    }
}
