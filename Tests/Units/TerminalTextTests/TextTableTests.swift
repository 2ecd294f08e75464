import TerminalText
import Testing

@Suite struct TextTableTests {
    private static let titles = ["경관의 피", "SING 2", "\u{1100}\u{1167}\u{11BC}▲", "스파이더맨: 노 웨이 홈 ·🎬"]
    private static let figures = ["1", "22", "▲3", "4,444"].map { TextPiece($0) }

    private static func column(_ cells: [TextPiece], priority: Int = TextColumn.required) -> TextColumn {
        TextColumn(cells, alignment: .trailing, minimum: 3, priority: priority)
    }

    /// A rank, a title, and a figure of low priority.
    private static let table = TextTable(
        [column(figures), TextColumn(titles.map { TextPiece($0) }), column(figures, priority: 1)], elastic: 1)

    @Test(arguments: [false, true], 1...60)
    func `no line is wider than the terminal, and all columns are aligned`(isWide: Bool, limit: Int) throws {
        let width = TextWidth(isAmbiguousWide: isWide)
        let layout = Self.table.layout(limit: limit, width)
        let least = 5 + 2 + 1 + (isWide ? 1 : 0)
        for line in layout.lines { #expect(width.columns(line) <= max(limit, least), "\(line)") }
        for (line, title) in zip(layout.lines, Self.titles) where limit > 20 {
            let before = line[..<(try #require(line.firstIndex(of: title.first ?? " ")))]
            #expect(width.columns(String(before)) == layout.start)
        }
    }

    @Test func `without a limit nothing is cut`() {
        let layout = Self.table.layout(limit: nil)
        #expect(layout.lines[0] == "    1  경관의 피                       1")
        #expect(layout.start == 7)
    }

    @Test func `a column is left out before the elastic one is cut below its share`() {
        // 7 and 16 columns, and then 2 and 5.
        #expect(Self.table.layout(limit: 30).lines[1].hasSuffix("22"))
        #expect(Self.table.layout(limit: 29).lines[1].hasSuffix("SING 2"))
    }

    @Test func `narrower columns come before leaving out, and columns of one priority are left out together`() {
        func cells(_ text: String) -> [TextPiece] { [TextPiece(text)] }
        let table = TextTable([
            TextColumn(cells("name")),
            TextColumn(
                cells("long text"), narrower: [TextColumn(cells("text")), TextColumn(cells("x"))], priority: 2),
            TextColumn(cells("aa"), priority: 1), TextColumn(cells("bb"), priority: 1),
        ])
        let lines = [23, 22, 15, 14, 9, 7, 4].map { table.layout(limit: $0).lines[0] }
        #expect(
            lines == [
                "name  long text  aa  bb", "name  long text", "name  long text", "name  text", "name  x", "name  x",
                "name",
            ])
    }

    @Test func `colour has no width, and a table without cells has no lines`() {
        let red = TextColumn([TextPiece("a") { "<\($0)>" }], minimum: 3)
        let table = TextTable([red, TextColumn([TextPiece("b")])], elastic: 1)
        #expect(table.layout(limit: 6).lines == ["<a>    b"])
        #expect(TextTable([TextColumn([])]).layout(limit: 6).lines.isEmpty)
        #expect(TextTable([]).layout(limit: nil).lines.isEmpty)
    }

    @Test func `labelled texts continue below each other`() {
        let rows = [(label: "배우", text: "조진웅, 최우식, 박희순"), (label: "장르", text: "범죄")]
        #expect(TextTable.labelled(rows, columns: nil) == ["배우  조진웅, 최우식, 박희순", "장르  범죄"])
        #expect(
            TextTable.labelled(rows, columns: 22) == ["배우  조진웅, 최우식,", "      박희순", "장르  범죄"])
    }

    @Test(arguments: 1...40)
    func `a wrapped text keeps its words whole and in order`(limit: Int) {
        let text = "  상세: 작업자가 없습니다. compose/stack doctor로 확인하세요 (unavailable)"
        let lines = TextWidth.narrow.wrap(text, columns: limit, indent: 2)
        #expect(lines.joined(separator: " ").split(separator: " ") == text.split(separator: " "))
        for line in lines where TextWidth.narrow.columns(line) > limit {
            #expect(line.split(separator: " ").count == 1, "\(line)")
        }
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
    }
}
