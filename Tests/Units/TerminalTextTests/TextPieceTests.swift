import ProcessKit
import Testing

@testable import TerminalText

@Suite struct TextPieceTests {
    private let pieces = ["time", "source", "kind", "fact=1", "fact=2"].map { TextPiece($0) }

    @Test func `without a width it is one line`() {
        #expect(pieces.joined(columns: nil) == "time  source  kind  fact=1  fact=2")
    }

    @Test(
        arguments: [
            (34, "time  source  kind  fact=1  fact=2"), (33, "time  source  kind  fact=1\n    fact=2"),
            (18, "time  source  kind\n    fact=1  fact=2"), (17, "time  source\n    kind  fact=1\n    fact=2"),
            // A piece wider than a line is broken.
            (7, "time\n   sour\n   ce\n   kind\n   fact\n   =1\n   fact\n   =2"),
        ])
    func `a line that is too long continues below, indented`(columns: Int, text: String) {
        #expect(pieces.joined(columns: columns) == text)
    }

    @Test func `colours take no columns, and Hangul takes two each`() {
        let style = TextStyle(isTerminal: true, isUnwanted: false, Environment([:]))
        let coloured = [TextPiece("가나", style: style.red), TextPiece("b")]
        #expect(coloured.joined(columns: 7) == "\u{1B}[31m가나\u{1B}[0m  b")
        #expect(coloured.joined(columns: 6) == "\u{1B}[31m가나\u{1B}[0m  b".replacing("  b", with: "\n   b"))
    }

    @Test func `each part of a broken piece has its colour`() {
        let style = TextStyle(isTerminal: true, isUnwanted: false, Environment([:]))
        #expect(
            [TextPiece("가나다", style: style.red)].joined(columns: 4, indent: 0)
                == "\u{1B}[31m가나\u{1B}[0m\n\u{1B}[31m다\u{1B}[0m")
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("가나다", 6, "가나다"), ("가나다", 5, "가나…"), ("가나다", 4, "가…"),
    ])
    func `a cut text ends with an ellipsis`(text: String, columns: Int, beginning: String) {
        #expect(TextWidth.narrow.prefix(text, columns: columns) == beginning)
        #expect(TextWidth.narrow.columns(beginning) <= columns)
    }
}
