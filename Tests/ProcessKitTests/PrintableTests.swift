import ProcessKit
import Testing

@Suite struct PrintableTests {
    @Test(arguments: [
        "", "경관의 피", "\u{1100}\u{1167}\u{11BC}", "a\\b \"c\" 'd'", "e\u{301}", "\u{1F468}\u{200D}\u{1F3A4}",
        "스파이더맨: 노 웨이 홈 — 100%", "نور",
    ])
    func `printable text is unchanged, byte for byte`(text: String) {
        #expect(Array(text.printable.utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        ("a\nb", #"a\nb"#), ("a\r\nb", #"a\r\nb"#), ("\t", #"\t"#), ("\0", #"\0"#), ("\u{7}", #"\u{07}"#),
        ("\u{1B}[31m빨강\u{1B}[0m", #"\u{1B}[31m빨강\u{1B}[0m"#), ("\u{7F}", #"\u{7F}"#), ("\u{9B}2J", #"\u{009B}2J"#),
        ("\u{85}\u{2028}\u{2029}", #"\u{0085}\u{2028}\u{2029}"#), ("\u{202E}abc\u{2066}", #"\u{202E}abc\u{2066}"#),
    ])
    func `control characters are shown as escapes`(text: String, shown: String) {
        #expect(text.printable == shown)
    }
}
