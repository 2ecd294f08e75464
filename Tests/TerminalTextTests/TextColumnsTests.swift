import TerminalText
import Testing

@Suite struct TextColumnsTests {
    private static let titles = ["경관의 피", "SING 2", "\u{1100}\u{1167}\u{11BC}▲", "스파이더맨: 노 웨이 홈 ·🎬"]

    private static func table(_ columns: Int) -> TextColumns {
        let title = TextColumn(titles.map { TextPiece($0) })
        let figures = TextColumn(["1", "22", "▲3", "4,444"].map { TextPiece($0) }, alignment: .trailing, minimum: 3)
        return TextColumns([[figures, title], [figures, title, figures]][columns - 2], elastic: 1)
    }

    @Test(arguments: [false, true], 1...60)
    func `no line is wider than the terminal, and all columns are aligned`(isWide: Bool, limit: Int) throws {
        let width = TextWidth(isAmbiguousWide: isWide)
        let layout = TextColumns.layout([Self.table(3), Self.table(2)], limit: limit, width)
        let least = 5 + 2 + 1 + (isWide ? 1 : 0)
        for line in layout.lines { #expect(width.columns(line) <= max(limit, least), "\(line)") }
        for (line, title) in zip(layout.lines, Self.titles) where limit > 20 {
            let before = line[..<(try #require(line.firstIndex(of: title.first ?? " ")))]
            #expect(width.columns(String(before)) == layout.start)
        }
    }

    @Test func `without a limit nothing is cut`() {
        let layout = TextColumns.layout([Self.table(3), Self.table(2)], limit: nil, .narrow)
        #expect(layout.lines[0] == "    1  경관의 피                       1")
        #expect(layout.start == 7)
    }

    @Test func `a column is removed before the elastic one is cut below its share`() {
        // 7 and 16 columns, and then 2 and 5.
        #expect(TextColumns.layout([Self.table(3), Self.table(2)], limit: 30, .narrow).lines[1].hasSuffix("22"))
        #expect(TextColumns.layout([Self.table(3), Self.table(2)], limit: 29, .narrow).lines[1].hasSuffix("SING 2"))
    }

    @Test func `colour has no width, and a table without cells has no lines`() {
        let red = TextColumn([TextPiece("a") { "<\($0)>" }], minimum: 3)
        #expect(
            TextColumns.layout([TextColumns([red, TextColumn([TextPiece("b")])], elastic: 1)], limit: 6, .narrow).lines
                == ["<a>    b"])
        #expect(TextColumns.layout([TextColumns([TextColumn([])], elastic: 0)], limit: 6, .narrow).lines.isEmpty)
        #expect(TextColumns.layout([], limit: nil, .narrow).lines.isEmpty)
    }
}
