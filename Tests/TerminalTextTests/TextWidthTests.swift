import Testing

@testable import TerminalText

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("a", 1), ("SING 2", 6), ("경관의 피", 9), ("신작", 4), ("▲12", 3), ("▼1", 2), ("-", 1), ("·", 1),
        // Decomposed Hangul, lone letters, half-width letters.
        ("\u{1100}\u{1167}\u{11BC}\u{1100}\u{116A}\u{11AB}", 4), ("ㄱㅏ", 4), ("\u{FFA1}", 1),
        // Marks and what is invisible take nothing.
        ("e\u{301}", 1), ("\u{301}", 0), ("\u{20DD}", 0), ("\u{200B}a\u{FEFF}", 1), ("a\u{AD}", 2),
        ("君の名は。", 10), ("ＡＢ", 4), ("（주）", 6), ("「」", 4), ("〈가〉", 6), ("︵", 2), ("䷀", 1), ("𠮷", 2),
        // Emoji, joined ones and flags are one picture of two columns.
        ("🎬", 2), ("🚀", 2), ("🫶", 2), ("⭐", 2), ("⌚", 2), ("🇰🇷", 2), ("👨\u{200D}🎤", 2), ("★", 1), ("♥", 1), ("№", 1),
    ])
    func `a text takes the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test(arguments: ["a", "가", "\u{1100}\u{1161}", "e\u{301}", ""])
    func `padding fills up to a width, and cuts nothing`(text: String) {
        #expect(TextWidth.columns(TextWidth.padded(text, to: 6)) == 6)
        #expect(TextWidth.padded(text, to: 6).hasPrefix(text))
        #expect(TextWidth.padded(text, to: 0) == text)
        #expect(TextWidth.padded(text, to: -1) == text)
    }
}
