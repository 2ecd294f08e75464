import ProcessKit
import Testing

@testable import TerminalText

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("a", 1), ("SING 2", 6), ("경관의 피", 9), ("신작", 4), ("▲12", 3), ("▼1", 2), ("-", 1), ("·", 1),
        // Decomposed Hangul, lone letters, half-width letters.
        ("\u{1100}\u{1167}\u{11BC}\u{1100}\u{116A}\u{11AB}", 4), ("ㄱㅏ", 4), ("\u{FFA1}", 1),
        // Marks and invisible characters take no columns.
        ("e\u{301}", 1), ("\u{301}", 0), ("\u{20DD}", 0), ("\u{200B}a\u{FEFF}", 1), ("a\u{AD}", 2),
        ("君の名は。", 10), ("ＡＢ", 4), ("（주）", 6), ("「」", 4), ("〈가〉", 6), ("︵", 2), ("䷀", 1), ("𠮷", 2),
        // Emoji, joined ones and flags are one picture of two columns.
        ("🎬", 2), ("🚀", 2), ("🫶", 2), ("⭐", 2), ("⌚", 2), ("🇰🇷", 2), ("👨\u{200D}🎤", 2), ("★", 1), ("♥", 1), ("№", 1),
    ])
    func `a text takes the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(TextWidth.narrow.columns(text) == columns)
    }

    @Test(arguments: ["a", "가", "\u{1100}\u{1161}", "e\u{301}", ""])
    func `padding fills a text to a width, and cuts nothing`(text: String) {
        #expect(TextWidth.narrow.columns(TextWidth.narrow.padded(text, to: 6)) == 6)
        #expect(TextWidth.narrow.padded(text, to: 6).hasPrefix(text))
        #expect(TextWidth.narrow.padded(text, to: 0) == text)
        #expect(TextWidth.narrow.padded(text, to: -1) == text)
    }

    @Test(arguments: [
        ("☎\u{FE0F}", 2), ("☎", 1), ("1\u{FE0F}\u{20E3}", 2), ("\u{1160}", 0), ("\u{11A8}", 0), ("\u{D7B0}", 0),
    ])
    func `emoji presentation and joined letters have their width`(text: String, columns: Int) {
        #expect(TextWidth.narrow.columns(text) == columns)
    }

    @Test(arguments: [
        ("▲", 2), ("▼3", 3), ("·", 2), ("…", 2), ("─│", 4), ("×", 2), ("※", 2), ("█", 2), ("α", 2), ("Ω", 2), ("—", 2),
        ("a", 1), ("가", 2), ("é", 2), ("e\u{301}", 1), ("-", 1), ("￦", 2), ("₩", 1), ("🎬", 2), ("ﾊ", 1),
    ])
    func `ambiguous characters take two columns if the terminal is configured so`(text: String, columns: Int) {
        #expect(TextWidth(isAmbiguousWide: true).columns(text) == columns)
    }

    @Test(arguments: [
        (false, 5, "경관…"), (true, 5, "경…"), (true, 6, "경관…"), (false, 1, "…"), (true, 1, ""), (false, 0, ""),
    ])
    func `a cut text is never wider than its limit, including the ellipsis`(isWide: Bool, room: Int, cut: String) {
        let width = TextWidth(isAmbiguousWide: isWide)
        #expect(width.prefix("경관의 피", columns: room) == cut)
        #expect(width.columns(cut) <= room)
    }

    @Test func `the width of ambiguous glyphs is a setting`() throws {
        #expect(try !TextWidth(Environment([:])).isAmbiguousWide)
        #expect(try TextWidth(Environment(["BOXOFFICE_AMBIGUOUS_WIDTH": "2"])).isAmbiguousWide)
        #expect(throws: StartupError.self) { try TextWidth(Environment(["BOXOFFICE_AMBIGUOUS_WIDTH": "wide"])) }
    }
}
